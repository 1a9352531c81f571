package donuts.client;

import java.util.List;

/**
 * What a bot tells of its search, in a {@code move} or an {@code info}; every part may be null. It is never judged.
 *
 * @param eval the bot's own chances in permille, 0 to 1000
 * @param proof {@code win}, {@code draw} or {@code loss}, where the bot has proved it
 * @param nodes positions visited
 * @param depth of the search in plies
 * @param pv the placements that the bot expects, at most 81
 * @param text a sentence for people, at most 200 characters
 */
public record Report(Integer eval, String proof, Long nodes, Integer depth, List<String> pv, String text) {
    /** Tells nothing. */
    public static final Report NONE = new Report(null, null, null, null, null, null);

    /**
     * The same, with the bot's chances.
     *
     * @param permille 0 to 1000
     * @return a new report
     */
    public Report withEval(int permille) {
        return new Report(permille, proof, nodes, depth, pv, text);
    }

    /**
     * The same, with how far the search went.
     *
     * @param plies its depth
     * @param visited positions
     * @return a new report
     */
    public Report withSearch(int plies, long visited) {
        return new Report(eval, proof, visited, plies, pv, text);
    }

    /**
     * The same, with a sentence for people.
     *
     * @param sentence at most 200 characters
     * @return a new report
     */
    public Report withText(String sentence) {
        return new Report(eval, proof, nodes, depth, pv, sentence);
    }
}
