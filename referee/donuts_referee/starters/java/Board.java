import java.util.Arrays;

/** What does not change in a game: the lines that the squares show, and where the neighbours of a square are. */
final class Board {
    /** The four ways a row can run, as steps of column and row: H, V, D and A. */
    static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    final String layout;
    /** Squares per edge, 6 or 9. */
    final int size;
    /** How many squares there are. A square is an index: a1 is 0, b1 is 1, and so on, row by row. */
    final int squares;
    /** For each square, the other squares of the line that it shows. */
    final int[][] line;
    /** For each square, direction and way (0 ahead, 1 behind), the squares from there to the edge. */
    final int[][][][] rays;

    /** Works out a board of 36 or 81 letters out of H, V, D and A. */
    Board(String layout) {
        this.layout = layout;
        squares = layout.length();
        size = squares == 81 ? 9 : 6;
        line = new int[squares][];
        rays = new int[squares][DIRECTIONS.length][2][];
        for (int square = 0; square < squares; square++) {
            for (int d = 0; d < DIRECTIONS.length; d++) {
                int[] ahead = ray(square, DIRECTIONS[d][0], DIRECTIONS[d][1]);
                int[] behind = ray(square, -DIRECTIONS[d][0], -DIRECTIONS[d][1]);
                rays[square][d] = new int[][] {ahead, behind};
                if (d == "HVDA".indexOf(layout.charAt(square))) {
                    line[square] = new int[ahead.length + behind.length];
                    System.arraycopy(ahead, 0, line[square], 0, ahead.length);
                    System.arraycopy(behind, 0, line[square], ahead.length, behind.length);
                }
            }
        }
    }

    /** The squares from here, this one not included, to the edge. */
    private int[] ray(int square, int columns, int rows) {
        int[] found = new int[size];
        int length = 0;
        int column = square % size + columns;
        int row = square / size + rows;
        while (0 <= column && column < size && 0 <= row && row < size) {
            found[length++] = row * size + column;
            column += columns;
            row += rows;
        }
        return Arrays.copyOf(found, length);
    }

    /** The index of a square such as e4. */
    int index(String name) {
        return (name.charAt(1) - '1') * size + name.charAt(0) - 'a';
    }

    /** The name of a square, such as e4. */
    String name(int square) {
        return "" + (char) ('a' + square % size) + (char) ('1' + square / size);
    }
}
