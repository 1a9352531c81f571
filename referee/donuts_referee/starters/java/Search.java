/** Looks ahead by alpha-beta, one ply further each time, until its time is up. Scores are from the side on turn. */
final class Search {
    /** A win; the sooner it comes the better, so a score beyond SURE is one that cannot be missed. */
    private static final int WON = 1_000_000;
    private static final int SURE = WON - 100;

    /** What one, two, three or four rings in five squares of a row are worth while the opponent has none there. */
    private static final int[] WEIGHTS = {0, 1, 4, 16, 64};

    /** What a search found; depth is how many plies were looked ahead. */
    record Result(int square, int score, int depth) {
        /** The chances in permille, which the protocol calls eval. */
        int permille() {
            if (Math.abs(score) > SURE) {
                return score > 0 ? 1000 : 0;
            }
            return Math.max(1, Math.min(999, 500 + 2 * score));
        }
    }

    /** Set by the other thread when nobody waits for the answer any longer. */
    volatile boolean givenUp;
    /** Positions that were looked at. */
    long nodes;

    private final Position start;
    private final long deadline;
    private boolean timeUp;

    /** A search that ends after so many ms. */
    Search(Position start, long milliseconds) {
        this.start = start;
        deadline = System.nanoTime() + milliseconds * 1_000_000;
    }

    /** The best square that was found in time. */
    Result choose() {
        int[] legal = start.legal();
        Result best = new Result(legal[0], 0, 0);
        int most = 2 * start.rings - start.ply;
        for (int depth = 1; depth <= most && legal.length > 1 && !timeUp && Math.abs(best.score()) <= SURE; depth++) {
            best = round(legal, best, depth);
        }
        return best;
    }

    /**
     * Scores all squares, the best one of the round before first. Where the time is up, the best of those it got round
     * to: since the old best was tried first, it is no worse.
     */
    private Result round(int[] legal, Result before, int depth) {
        int score = attempt(start, before.square(), depth, -WON, WON);
        if (timeUp) {
            return before;
        }
        Result best = new Result(before.square(), score, depth);
        for (int square : legal) {
            if (square == before.square()) {
                continue;
            }
            score = attempt(start, square, depth, best.score(), WON);
            if (timeUp) {
                break;
            }
            if (score > best.score()) {
                best = new Result(square, score, depth);
            }
        }
        return best;
    }

    /** Scores a placement, from the side of the one who makes it. */
    private int attempt(Position from, int square, int depth, int alpha, int beta) {
        nodes++;
        Position after = new Position(from);
        if (after.place(square)) {
            return WON - after.ply;
        }
        if (after.full()) {
            int difference = after.largestGroup(from.mover()) - after.largestGroup(after.mover());
            return Integer.signum(difference) * (WON - after.ply);
        }
        return depth <= 1 ? -judge(after) : -best(after, depth - 1, -beta, -alpha);
    }

    /** The score of a position; one below alpha or above beta need not be exact. */
    private int best(Position position, int depth, int alpha, int beta) {
        timeUp = timeUp || givenUp || System.nanoTime() - deadline > 0;
        int best = -WON;
        for (int square : timeUp ? new int[0] : position.legal()) {
            best = Math.max(best, attempt(position, square, depth, alpha, beta));
            alpha = Math.max(alpha, best);
            if (alpha >= beta || timeUp) {
                break;
            }
        }
        return best;
    }

    /** Guesses how good a position is: rows that may become five, and the groups. */
    private static int judge(Position position) {
        byte mine = position.mover();
        int score = 0;
        for (int square = 0; square < position.board.squares; square++) {
            for (int[][] ways : position.board.rays[square]) {
                if (ways[0].length >= 4) { // five squares in a row, this one the first
                    score += five(position.cells, square, ways[0], mine);
                }
            }
        }
        return score + 2 * (position.largestGroup(mine) - position.largestGroup((byte) -mine));
    }

    /** What the rings in five squares are worth. */
    private static int five(byte[] cells, int first, int[] ray, byte mine) {
        int own = cells[first] == mine ? 1 : 0;
        int other = cells[first] == -mine ? 1 : 0;
        for (int at = 0; at < 4; at++) {
            if (cells[ray[at]] == mine) {
                own++;
            } else if (cells[ray[at]] == -mine) {
                other++;
            }
        }
        if (other == 0) {
            return WEIGHTS[own];
        }
        return own == 0 ? -WEIGHTS[other] : 0;
    }
}
