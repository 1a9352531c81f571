package donuts.client;

import java.util.Map;

/** The arena has sent the bot away, and it may not come back by itself; the text says why and what to do about it. */
public final class SentAwayException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final Map<String, String> REMEDIES = Map.of(
            "seat", "there is no such seat, or it is revoked: ask the operator for a new join file",
            "key", "it does not know the key of this join file, or has revoked it: ask the operator for a new one",
            "replaced", "another connection holds this seat now: stop the other one, or use a seat of its own for each",
            "kicked", "the operator has removed this bot: ask there before you dial in again",
            "benched", "too many games in a row were lost by the bot's own faults: mend it, then start it again",
            "version", "the two speak no version of the protocol in common: update the older one");

    private final String why;

    SentAwayException(String why, String complaint) {
        super(text(why, complaint));
        this.why = why;
    }

    private static String text(String why, String complaint) {
        String line = why.equals("key") ? "the arena refuses this bot" : "the arena says bye: " + why;
        if (complaint != null) {
            line += " (" + Words.quoted(complaint) + ")";
        }
        return REMEDIES.containsKey(why) ? line + "; " + REMEDIES.get(why) : line;
    }

    /**
     * The arena's word for it.
     *
     * @return a word of DBP-11.14, or "key" where the arena does not let the CURVE key in
     */
    public String why() {
        return why;
    }
}
