//! A bot for DONUTS. It reads lines from stdin and answers on stdout; anything for people goes to stderr.
//!
//!     cargo build --release
//!     cargo test
//!     target/release/@NAME@ perft LAYOUT DEPTH [RINGS]
//!
//! This file speaks the protocol, `rules.rs` knows the game, `search.rs` chooses the move. Begin with `search.rs`: a
//! better `evaluate` is a better bot.

mod rules;
mod search;

use std::collections::HashMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rules::{Board, Position};

/// What the bot is called.
const NAME: &str = "NAME";

const USAGE: &str = "\
usage: @NAME@                                plays on stdin and stdout (donuts play, donuts check)
       @NAME@ perft LAYOUT DEPTH [RINGS]     counts move sequences (donuts perft)";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        None => converse().map_err(|error| error.to_string()),
        Some("perft") => perft(&words[1..]),
        Some("--help") => {
            println!("{USAGE}");
            Ok(())
        }
        Some(_) => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}

/// Talk with the referee until it says `bye` or goes away.
fn converse() -> io::Result<()> {
    say(&format!("hello donuts=1-1 name={NAME} ver=0.1"))?;
    for line in io::stdin().lines() {
        let line = line?;
        let asked = Instant::now();
        let words: Vec<&str> = line.split(' ').collect();
        let verb = words[0];
        let id = words.get(1).copied().unwrap_or("-");
        match verb {
            // Load what is heavy here, before `ready`: no clock runs yet.
            "game" => say(&format!("ready {id}"))?,
            "ping" => say(&format!("pong {id}"))?,
            "turn" => match answer(&words, asked) {
                Ok(answer) => say(&format!("move {id} {answer}"))?,
                Err(reason) => {
                    eprintln!("turn {id}: {reason}");
                    say(&format!("error {id} code=turn"))?;
                }
            },
            "bye" => break,
            _ => {} // Never mind `welcome`, `cancel` and `end`, nor what a later edition adds.
        }
    }
    Ok(())
}

/// Say one line. A line that stays in a buffer was never said, so flush it.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// The square for a turn, and what the bot thinks of it. A turn holds the whole position: nothing of an earlier message
/// is needed.
fn answer(words: &[&str], asked: Instant) -> Result<String, String> {
    let fields: HashMap<&str, &str> = words
        .iter()
        .filter_map(|word| word.split_once('='))
        .collect();
    let text = |key: &str| fields.get(key).copied().ok_or(format!("{key} is missing"));
    let number = |key: &str| -> Result<u64, String> {
        text(key)?
            .parse()
            .map_err(|_| format!("{key} is no number"))
    };
    let board = Board::new(text("layout")?)?;
    let rings = number("rings")? as usize;
    let position = Position::new(&board, text("cells")?, text("last")?, text("you")?, rings)?;
    // The referee lists the legal squares. Choosing among these the bot cannot break a rule.
    let legal = text("legal")?
        .split(',')
        .map(|name| board.square(name))
        .collect::<Result<Vec<_>, _>>()?;
    let time = budget(
        &position,
        number("clock")?,
        number("inc")?,
        number("limit")?,
    );
    let found = search::search(&board, &position, &legal, asked + time);
    let chances = (500 + found.score / 4).clamp(0, 1000);
    let (square, depth, nodes) = (board.name(found.square), found.depth, found.nodes);
    Ok(format!(
        "{square} eval={chances} depth={depth} nodes={nodes}"
    ))
}

/// How long to think: a share of the clock and most of the increment, and never so long that the flag could fall.
fn budget(position: &Position, clock: u64, inc: u64, limit: u64) -> Duration {
    let moves_left = (2 * position.rings - position.placed) as u64 / 2 + 2;
    let share = clock / moves_left + inc * 3 / 4;
    let most = (limit * 7 / 10).min(5_000); // with `--tc inf` there is no limit but this one
    Duration::from_millis(share.min(most))
}

/// `perft LAYOUT DEPTH [RINGS]`: how many move sequences of exactly DEPTH plies there are. When the rules are right it is
/// the last number of `donuts perft LAYOUT --depth DEPTH`.
fn perft(words: &[String]) -> Result<(), String> {
    let [layout, depth, rest @ ..] = words else {
        return Err(USAGE.into());
    };
    let board = Board::new(layout)?;
    let number = |word: &String| {
        word.parse::<usize>()
            .map_err(|_| format!("{word} is no number"))
    };
    let rings = match rest.first() {
        Some(word) => number(word)?,
        None if board.size == 6 => 15,
        None => 36,
    };
    println!(
        "{}",
        rules::perft(&board, &Position::start(rings), number(depth)?)
    );
    Ok(())
}
