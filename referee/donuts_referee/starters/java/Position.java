import java.util.Arrays;

/** A game at one moment, and the rules. To try a placement, work on a copy. */
final class Position {
    // What stands on a square. The other side of s is -s.
    static final byte EMPTY = 0;
    static final byte X = 1; // Chocolate, moves first
    static final byte O = -1; // Vanilla
    static final int NONE = -1; // no square

    final Board board;
    final byte[] cells;
    /** Rings that each side has at the start. */
    final int rings;
    /** Rings placed so far. */
    int ply;
    /** The square filled last, or NONE. */
    int last = NONE;

    /** An empty board. */
    Position(Board board, int rings) {
        this.board = board;
        this.rings = rings;
        cells = new byte[board.squares];
    }

    /** A copy. */
    Position(Position other) {
        board = other.board;
        rings = other.rings;
        cells = other.cells.clone();
        ply = other.ply;
        last = other.last;
    }

    /** The side on turn. */
    byte mover() {
        return ply % 2 == 0 ? X : O;
    }

    /** Whether all rings are placed. */
    boolean full() {
        return ply == 2 * rings;
    }

    /**
     * The squares that may be filled: the empty ones of the line shown on the square filled last, or any empty one where
     * there are none.
     */
    int[] legal() {
        int[] found = new int[board.squares];
        int count = 0;
        if (last != NONE) {
            for (int square : board.line[last]) {
                if (cells[square] == EMPTY) {
                    found[count++] = square;
                }
            }
        }
        if (count == 0) {
            for (int square = 0; square < board.squares; square++) {
                if (cells[square] == EMPTY) {
                    found[count++] = square;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    /**
     * Puts a ring of the mover on a square and flips what it flips. Returns whether that makes five in a row, which wins
     * the game.
     */
    boolean place(int square) {
        byte mine = mover();
        cells[square] = mine;
        last = square;
        ply++;
        // All directions are looked at before anything is flipped: collect first.
        int[] changed = new int[9];
        int count = 0;
        changed[count++] = square;
        for (int[][] ways : board.rays[square]) {
            int ahead = bound(ways[0], mine);
            int behind = bound(ways[1], mine);
            if (ahead != NONE && behind != NONE) { // the opponent's rings bound ours at both ends
                changed[count++] = ahead;
                changed[count++] = behind;
            }
        }
        for (int at = 1; at < count; at++) {
            cells[changed[at]] = mine;
        }
        for (int at = 0; at < count; at++) {
            if (fiveThrough(changed[at])) {
                return true;
            }
        }
        return false;
    }

    /** Walks over rings of mine; returns the square behind them if the opponent has it, or NONE. */
    private int bound(int[] ray, byte mine) {
        for (int square : ray) {
            if (cells[square] != mine) {
                return cells[square] == EMPTY ? NONE : square;
            }
        }
        return NONE;
    }

    /** Whether a row of five or more of one side runs through this square. */
    private boolean fiveThrough(int square) {
        for (int[][] ways : board.rays[square]) {
            int length = 1;
            for (int[] ray : ways) {
                for (int at = 0; at < ray.length && cells[ray[at]] == cells[square]; at++) {
                    length++;
                }
            }
            if (length >= 5) {
                return true;
            }
        }
        return false;
    }

    /** Rings of the largest group of a side; they are connected over edges, not corners. */
    int largestGroup(byte side) {
        boolean[] seen = new boolean[board.squares];
        int[] waiting = new int[board.squares];
        int largest = 0;
        for (int start = 0; start < board.squares; start++) {
            if (cells[start] != side || seen[start]) {
                continue;
            }
            seen[start] = true;
            waiting[0] = start;
            int group = 0;
            for (int count = 1; count > 0; group++) {
                int square = waiting[--count];
                for (int d = 0; d < 2; d++) { // H and V
                    for (int[] ray : board.rays[square][d]) {
                        if (ray.length > 0 && cells[ray[0]] == side && !seen[ray[0]]) {
                            seen[ray[0]] = true;
                            waiting[count++] = ray[0];
                        }
                    }
                }
            }
            largest = Math.max(largest, group);
        }
        return largest;
    }
}
