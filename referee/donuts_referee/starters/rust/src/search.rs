//! Chooses a move: alpha-beta search, deeper and deeper until the time is over.

use std::time::Instant;

use crate::rules::{squares, Board, Outcome, Position, Set};

/// The score of a game that is won now; one that is won later has a ply less for each ring.
const WIN: i32 = 10_000;

/// What was found.
pub struct Found {
    /// The square to play.
    pub square: usize,
    /// Its score; 0 is even.
    pub score: i32,
    /// How many plies were looked at in full.
    pub depth: usize,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// Look for the best of the `legal` squares until `deadline`.
pub fn search(board: &Board, position: &Position, legal: &[usize], deadline: Instant) -> Found {
    let mut search = Search {
        board,
        deadline,
        nodes: 0,
        over: false,
    };
    let mut order = legal.to_vec();
    let mut found = Found {
        square: legal[0],
        score: 0,
        depth: 0,
        nodes: 0,
    };
    if legal.len() == 1 {
        return found; // nothing to choose: save the time
    }
    for depth in 1..=2 * position.rings - position.placed {
        let Some((square, score)) = search.best(position, &order, depth) else {
            break; // the time is over, and this depth was not finished
        };
        found = Found {
            square,
            score,
            depth,
            nodes: search.nodes,
        };
        if score.abs() > WIN - 200 {
            break; // the end is seen
        }
        // What was best is looked at first next time: that makes alpha-beta fast.
        order.retain(|other| *other != square);
        order.insert(0, square);
    }
    found
}

struct Search<'a> {
    board: &'a Board,
    deadline: Instant,
    nodes: u64,
    over: bool,
}

impl Search<'_> {
    /// The best of these squares and its score, looking `depth` plies ahead; `None` when the time is over.
    fn best(&mut self, position: &Position, order: &[usize], depth: usize) -> Option<(usize, i32)> {
        let (mut best, mut alpha) = (order[0], -2 * WIN);
        for square in order {
            let after = position.play(self.board, *square);
            let score = -self.value(&after, depth - 1, -2 * WIN, -alpha);
            if self.over {
                return None;
            }
            if score > alpha {
                (best, alpha) = (*square, score);
            }
        }
        Some((best, alpha))
    }

    /// What a position is worth to the side to move. Only a value between `alpha` and `beta` needs to be exact: one that
    /// is not above `alpha` changes nothing, and one that reaches `beta` the other side will not allow.
    fn value(&mut self, position: &Position, depth: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes & 255 == 0 && Instant::now() >= self.deadline {
            self.over = true;
        }
        match position.outcome(self.board) {
            Some(Outcome::Win) => return WIN - position.placed as i32,
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Loss) => return position.placed as i32 - WIN,
            None if depth == 0 || self.over => return evaluate(self.board, position),
            None => {}
        }
        for square in squares(position.legal(self.board)) {
            let after = position.play(self.board, square);
            let score = -self.value(&after, depth - 1, -beta, -alpha);
            alpha = alpha.max(score);
            if alpha >= beta || self.over {
                break;
            }
        }
        alpha
    }
}

/// A guess what a position is worth to the side to move, between -`WIN` and `WIN`. This is the place for ideas.
fn evaluate(board: &Board, position: &Position) -> i32 {
    prospects(board, position.mine) - prospects(board, position.theirs)
}

/// Rows of two, three and four, and the largest group.
fn prospects(board: &Board, rings: Set) -> i32 {
    let rows = |length| {
        board
            .rows(rings, length)
            .map(|row| row.count_ones() as i32)
            .sum::<i32>()
    };
    5 * rows(2) + 20 * rows(3) + 60 * rows(4) + 10 * board.largest_group(rings) as i32
}
