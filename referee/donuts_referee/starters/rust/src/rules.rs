//! The rules of DONUTS on 6 x 6 and 9 x 9 squares.
//!
//! A square is its index: a1 is 0, b1 is 1, and so on along the rows. A set of squares is one number with a bit for
//! each square, so that a whole board is searched, shifted and counted at once. 81 squares fit into a `u128`.

/// A set of squares.
pub type Set = u128;

/// Right, up, and the two diagonals: the four directions of a row, as (columns, rows).
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The squares of a set, from the lowest index.
pub fn squares(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1); // takes the lowest bit away
        (square < 128).then_some(square)
    })
}

/// A board: what never changes in a game.
pub struct Board {
    /// Squares per edge, 6 or 9.
    pub size: usize,
    /// All squares.
    pub all: Set,
    /// All squares but the column on the left edge, and but the one on the right.
    not_left: Set,
    not_right: Set,
    /// For each square the squares of the line that it shows, both ways to the edge.
    line: Vec<Set>,
    /// For each square and direction the squares ahead and the squares behind, the nearest first.
    rays: Vec<[(Vec<usize>, Vec<usize>); 4]>,
}

impl Board {
    /// The board with these lines: 36 or 81 letters out of H, V, D and A.
    pub fn new(layout: &str) -> Result<Board, String> {
        let size = match layout.len() {
            36 => 6,
            81 => 9,
            length => return Err(format!("a layout has 36 or 81 letters, not {length}")),
        };
        let set_of = |belongs: &dyn Fn(isize, isize) -> bool| -> Set {
            (0..size * size)
                .filter(|square| belongs((square % size) as isize, (square / size) as isize))
                .fold(0, |set, square| set | 1 << square)
        };
        let (mut line, mut rays) = (Vec::new(), Vec::new());
        for (square, letter) in layout.chars().enumerate() {
            let (column, row) = ((square % size) as isize, (square / size) as isize);
            line.push(match letter {
                'H' => set_of(&|_, r| r == row),
                'V' => set_of(&|c, _| c == column),
                'D' => set_of(&|c, r| c - r == column - row),
                'A' => set_of(&|c, r| c + r == column + row),
                _ => return Err(format!("{letter} is no line: H, V, D or A")),
            });
            rays.push(
                DIRECTIONS.map(|(right, up)| {
                    (ray(size, square, right, up), ray(size, square, -right, -up))
                }),
            );
        }
        Ok(Board {
            size,
            all: set_of(&|_, _| true),
            not_left: set_of(&|column, _| column > 0),
            not_right: set_of(&|column, _| column < size as isize - 1),
            line,
            rays,
        })
    }

    /// The square called `e4`.
    pub fn square(&self, name: &str) -> Result<usize, String> {
        if let [column, row] = *name.as_bytes() {
            let column = usize::from(column.wrapping_sub(b'a'));
            let row = usize::from(row.wrapping_sub(b'1'));
            if column < self.size && row < self.size {
                return Ok(row * self.size + column);
            }
        }
        Err(format!("{name} is no square of this board"))
    }

    /// What a square is called.
    pub fn name(&self, square: usize) -> String {
        let column = char::from(b'a' + (square % self.size) as u8);
        format!("{column}{}", square / self.size + 1)
    }

    /// The set moved by one square; what leaves the board is gone.
    fn shift(&self, set: Set, right: isize, up: isize) -> Set {
        let inside = match right {
            1 => set & self.not_right,
            -1 => set & self.not_left,
            _ => set,
        };
        let by = up * self.size as isize + right;
        let moved = if by >= 0 { inside << by } else { inside >> -by };
        moved & self.all
    }

    /// For each direction the squares at which a row of `length` rings of this set ends.
    pub fn rows(&self, rings: Set, length: usize) -> impl Iterator<Item = Set> + '_ {
        DIRECTIONS.iter().map(move |(right, up)| {
            (1..length).fold(rings, |row, _| rings & self.shift(row, *right, *up))
        })
    }

    /// Whether there are five in a row.
    pub fn has_five(&self, rings: Set) -> bool {
        self.rows(rings, 5).any(|row| row != 0)
    }

    /// How many rings the largest group has: rings that are connected over the edges of their squares.
    pub fn largest_group(&self, rings: Set) -> u32 {
        let (mut rest, mut largest) = (rings, 0);
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg(); // the lowest ring
            loop {
                let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
                    .iter()
                    .fold(group, |set, (right, up)| {
                        set | self.shift(group, *right, *up)
                    });
                let grown = beside & rings;
                if grown == group {
                    break;
                }
                group = grown;
            }
            largest = largest.max(group.count_ones());
            rest &= !group;
        }
        largest
    }
}

/// The squares on the way from a square to the edge.
fn ray(size: usize, from: usize, right: isize, up: isize) -> Vec<usize> {
    let on_board = 0..size as isize;
    let (mut column, mut row) = ((from % size) as isize, (from / size) as isize);
    let mut way = Vec::new();
    loop {
        column += right;
        row += up;
        if !on_board.contains(&column) || !on_board.contains(&row) {
            return way;
        }
        way.push(row as usize * size + column as usize);
    }
}

/// A position: what a game is made of. To try a move make a new one with `play`; it is small.
#[derive(Clone, Copy)]
pub struct Position {
    /// The rings of the side to move.
    pub mine: Set,
    /// The rings of the other side, which has just moved.
    pub theirs: Set,
    /// The square that was filled last.
    pub last: Option<usize>,
    /// Rings on the board.
    pub placed: usize,
    /// Rings per side at the start.
    pub rings: usize,
}

/// How a game ended, seen from the side that would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Position {
    /// The empty board.
    pub fn start(rings: usize) -> Position {
        Position {
            mine: 0,
            theirs: 0,
            last: None,
            placed: 0,
            rings,
        }
    }

    /// The position of a `turn`: its fields `cells`, `last`, `you` and `rings`.
    pub fn new(
        board: &Board,
        cells: &str,
        last: &str,
        you: &str,
        rings: usize,
    ) -> Result<Position, String> {
        if cells.len() != board.size * board.size {
            return Err(format!("{} cells do not fit the layout", cells.len()));
        }
        let set_of = |side: char| -> Set {
            cells
                .chars()
                .enumerate()
                .filter(|(_, cell)| *cell == side)
                .fold(0, |set, (square, _)| set | 1 << square)
        };
        let (x, o) = (set_of('x'), set_of('o'));
        let (mine, theirs) = if you == "x" { (x, o) } else { (o, x) };
        let last = if last == "-" {
            None
        } else {
            Some(board.square(last)?)
        };
        Ok(Position {
            mine,
            theirs,
            last,
            placed: (x | o).count_ones() as usize,
            rings,
        })
    }

    /// The legal squares: those empty on the line of the last ring, or, where that line is full, all that are empty.
    pub fn legal(&self, board: &Board) -> Set {
        let empty = board.all & !(self.mine | self.theirs);
        let line = self.last.map_or(empty, |last| board.line[last] & empty);
        if line == 0 {
            empty
        } else {
            line
        }
    }

    /// The position after a ring on this square, in which the other side is to move.
    pub fn play(&self, board: &Board, square: usize) -> Position {
        let flips = self.flips(board, square);
        Position {
            mine: self.theirs & !flips,
            theirs: self.mine | 1 << square | flips,
            last: Some(square),
            placed: self.placed + 1,
            rings: self.rings,
        }
    }

    /// Insertion: the rings that a ring on this square turns over. In each direction pass over the own rings both ways;
    /// where a ring of the other side stands at both ends, these two flip. All directions look at the board as it is.
    fn flips(&self, board: &Board, square: usize) -> Set {
        let mut flips = 0;
        for (ahead, behind) in &board.rays[square] {
            if let (Some(one), Some(two)) = (self.bound(ahead), self.bound(behind)) {
                flips |= one | two;
            }
        }
        flips
    }

    /// The first square on the way that is not mine, if it holds a ring of theirs.
    fn bound(&self, way: &[usize]) -> Option<Set> {
        let bits = way.iter().map(|square| 1 << square);
        bits.into_iter()
            .find(|bit| self.mine & bit == 0)
            .filter(|bit| self.theirs & bit != 0)
    }

    /// The outcome, if the game is over. Only the side that has just moved can have five in a row.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        if board.has_five(self.theirs) {
            return Some(Outcome::Loss);
        }
        if self.placed < 2 * self.rings {
            return None;
        }
        let (mine, theirs) = (
            board.largest_group(self.mine),
            board.largest_group(self.theirs),
        );
        Some(match mine.cmp(&theirs) {
            std::cmp::Ordering::Greater => Outcome::Win,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Loss,
        })
    }
}

/// How many move sequences of exactly `depth` plies there are; a game that is over goes no further.
pub fn perft(board: &Board, position: &Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome(board).is_some() {
        return 0;
    }
    let legal = position.legal(board);
    if depth == 1 {
        return legal.count_ones().into();
    }
    squares(legal)
        .map(|square| perft(board, &position.play(board, square), depth - 1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH";
    const LARGE: &str =
        "HVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAHVDAH";

    fn rings(cells: &str) -> Position {
        Position::new(
            &Board::new(SMALL).unwrap(),
            &format!("{cells:.<36}"),
            "a6",
            "x",
            15,
        )
        .unwrap()
    }

    #[test]
    fn counts_are_those_of_donuts_perft() {
        let count = |layout: &str, rings: usize, depth: usize| {
            perft(&Board::new(layout).unwrap(), &Position::start(rings), depth)
        };
        assert_eq!(
            [1, 2, 3, 4].map(|depth| count(SMALL, 15, depth)),
            [36, 177, 813, 3521]
        );
        assert_eq!(
            [1, 2, 3].map(|depth| count(LARGE, 36, depth)),
            [81, 532, 3384]
        );
        assert_eq!(count(SMALL, 1, 3), 0, "the game is over after two plies");
    }

    #[test]
    fn insertion_flips_the_two_rings_at_the_ends() {
        let board = Board::new(SMALL).unwrap();
        let flipped = |cells: &str, name: &str| {
            let square = board.square(name).unwrap();
            let after = rings(cells).play(&board, square);
            let side = |square: usize| {
                if after.theirs >> square & 1 == 1 {
                    'x'
                } else {
                    'o'
                }
            };
            (0..cells.len()).map(side).collect::<String>()
        };
        assert_eq!(flipped("o.o", "b1"), "xxx");
        assert_eq!(flipped("oxx.o", "d1"), "xxxxx");
        assert_eq!(flipped("oo.o", "c1"), "oxxx");
        assert_eq!(flipped("x.o", "b1"), "xxo");
    }

    #[test]
    fn groups_are_connected_over_edges_and_rows_do_not_wrap() {
        let board = Board::new(SMALL).unwrap();
        assert_eq!(board.largest_group(rings("xx...xx").mine), 3);
        assert!(!board.has_five(rings("..xxxxx").mine & !0b100));
        assert!(board.has_five(rings("..xxxx").mine | 0b10));
    }
}
