/** Counts move sequences; `donuts perft` counts the same when the rules are right. */
final class Perft {
    private Perft() {}

    /** The mode `perft LAYOUT DEPTH [RINGS]`: prints how many sequences of exactly DEPTH placements there are. */
    static int main(String[] args) {
        if (args.length < 3 || args.length > 4) {
            return refuse(Bot.USAGE);
        }
        if (!args[1].matches("[HVDA]{36}|[HVDA]{81}")) {
            return refuse("a layout is 36 or 81 letters out of H, V, D and A");
        }
        Board board = new Board(args[1]);
        int most = board.size == 6 ? 18 : 40;
        int depth = number(args[2], 80);
        int rings = args.length == 4 ? number(args[3], most) : board.size == 6 ? 15 : 36;
        if (depth == 0 || rings == 0) {
            return refuse("DEPTH is a number from 1 to 80, RINGS one from 1 to " + most);
        }
        System.out.println(count(new Position(board, rings), depth));
        return 0;
    }

    private static int refuse(String line) {
        System.err.println(line);
        return 2;
    }

    /** A number from 1 to most; 0 where it is none. */
    private static int number(String text, int most) {
        int number = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
        return number <= most ? number : 0;
    }

    /** The sequences of exactly so many placements. A game that is over does not go on. */
    private static long count(Position position, int depth) {
        if (position.full()) {
            return 0;
        }
        int[] legal = position.legal();
        if (depth == 1) {
            return legal.length;
        }
        long count = 0;
        for (int square : legal) {
            Position next = new Position(position);
            if (!next.place(square)) {
                count += count(next, depth - 1);
            }
        }
        return count;
    }
}
