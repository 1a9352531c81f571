package donuts.client;

import java.util.List;

/**
 * The messages of the protocol (DBP-6.1). The components have the names of the keys; what is optional and absent is
 * null, also {@code last}, {@code winner} and the id of an {@code error} where they are "none". Times are milliseconds.
 */
public sealed interface Message {
    /** What stands for "no clock at all", in ms (DBP-8.5). */
    long NO_LIMIT = 2147483647;

    /** An answer to a {@link Turn}. */
    sealed interface Answer extends Message permits Move, Resign {
        /**
         * The same answer, to this turn.
         *
         * @param turn its id
         * @return a new answer
         */
        Answer to(long turn);
    }

    /**
     * What a bot says first on a connection.
     *
     * @param donuts versions of DBP, such as "1-1"
     * @param name for display only
     * @param ver the bot's own version
     * @param author who wrote it
     * @param caps capabilities asked for: "info"
     * @param seat secret token that claims a seat
     * @param session token of the session that is taken up again
     * @param tc a wish for a time control, such as "10+0.1"
     */
    record Hello(
            String donuts, String name, String ver, String author, List<String> caps, String seat, String session,
            String tc)
            implements Message {
        /** The same, to take this session up again; null for none. */
        Hello withSession(String token) {
            return new Hello(donuts, name, ver, author, caps, seat, token, tc);
        }
    }

    /**
     * Answers {@link Game}.
     *
     * @param id of the question
     */
    record Ready(long id) implements Message {}

    /**
     * Answers {@link Turn} with a square.
     *
     * @param id of the question
     * @param sq a square such as "e4"
     * @param report what else there is to tell
     */
    record Move(long id, String sq, Report report) implements Answer {
        /**
         * A move without more words; the library fills in the id.
         *
         * @param sq a square such as "e4"
         */
        public Move(String sq) {
            this(sq, Report.NONE);
        }

        /**
         * A move; the library fills in the id.
         *
         * @param sq a square such as "e4"
         * @param report what else there is to tell
         */
        public Move(String sq, Report report) {
            this(0, sq, report);
        }

        @Override
        public Move to(long turn) {
            return new Move(turn, sq, report);
        }
    }

    /**
     * Answers {@link Turn} and gives the game up.
     *
     * @param id of the question
     */
    record Resign(long id) implements Answer {
        /** Gives up; the library fills in the id. */
        public Resign() {
            this(0);
        }

        @Override
        public Resign to(long turn) {
            return new Resign(turn);
        }
    }

    /**
     * Reports while the bot thinks, where the capability was granted.
     *
     * @param id of the open turn
     * @param report what there is to tell
     */
    record Info(long id, Report report) implements Message {}

    /**
     * Answers {@link Ping}.
     *
     * @param id of the question
     */
    record Pong(long id) implements Message {}

    /**
     * Says, from either side, that a message could not be used.
     *
     * @param id the message's; null where it had none
     * @param code a word
     * @param text a sentence
     */
    record Error(Long id, String code, String text) implements Message {}

    /**
     * The bot's {@code bye}: it leaves, and resigns the game that is running.
     *
     * @param text a sentence
     */
    record Leave(String text) implements Message {}

    /**
     * Answers {@link Hello}.
     *
     * @param donuts the version chosen, such as "1-1"
     * @param session secret token of the session
     * @param caps capabilities granted
     * @param maxline bytes of the longest message that is accepted
     * @param ref name/version of the referee
     * @param name of the seat, under which the bot is listed
     */
    record Welcome(String donuts, String session, List<String> caps, long maxline, String ref, String name)
            implements Message {}

    /**
     * Announces a game.
     *
     * @param id of the question, and of the game
     * @param you "x" or "o"
     * @param size squares per edge of the board, 6 or 9
     * @param rings a side
     * @param main on each clock at the start
     * @param inc added before each move
     * @param margin of overrun that is tolerated
     * @param prep within which {@link Ready} is due
     * @param movemax for one move
     * @param opp name of the opponent, where it is not hidden
     * @param seed for the bot's own dice
     */
    record Game(
            long id, String you, int size, int rings, long main, long inc, long margin, long prep, Long movemax,
            String opp, long seed)
            implements Message {}

    /**
     * A question that holds all there is to know.
     *
     * @param id of the question
     * @param game id of the game
     * @param ply placements made so far
     * @param you "x" or "o"
     * @param size squares per edge of the board, 6 or 9
     * @param rings a side
     * @param layout the lines of the squares a1 b1 ...: H, V, D or A
     * @param cells the rings on the squares a1 b1 ...: ".", "x" or "o"
     * @param last the square filled last
     * @param legal every legal square, at least one
     * @param clock left on the bot's clock, its increment included
     * @param oclock left on the opponent's
     * @param inc added before each move
     * @param limit for this move
     * @param margin of overrun that is tolerated
     * @param spent charged for the bot's last move
     * @param resend the same turn was sent before
     */
    record Turn(
            long id, long game, int ply, String you, int size, int rings, String layout, String cells, String last,
            List<String> legal, long clock, long oclock, long inc, long limit, long margin, long spent, boolean resend)
            implements Message {}

    /**
     * Closes a question.
     *
     * @param id of the question
     * @param why a code of DBP-9
     */
    record Cancel(long id, String why) implements Message {}

    /**
     * Asks for a {@link Pong}, between turns only.
     *
     * @param id of the question
     */
    record Ping(long id) implements Message {}

    /**
     * Says that a game is over.
     *
     * @param id of the game
     * @param result "win", "loss", "draw" or "void"
     * @param winner "x" or "o"
     * @param why a code of DBP-9
     * @param text a sentence
     * @param ply placements made
     * @param cells the board at the end
     * @param five every square of every row of five or more
     * @param moves all placements, from the first
     * @param more another game of the match follows
     */
    record End(
            long id, String result, String winner, String why, String text, int ply, String cells, List<String> five,
            List<String> moves, boolean more)
            implements Message {}

    /**
     * The referee's last word.
     *
     * @param why a code of DBP-9 or a word of DBP-11.14
     * @param min lowest version of DBP that the referee speaks
     * @param max highest
     */
    record Bye(String why, Long min, Long max) implements Message {}
}
