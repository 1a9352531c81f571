//! A whole DONUTS bot: it reads lines from stdin, answers on stdout, and plays a random legal square.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};

fn main() -> io::Result<()> {
    say("hello donuts=1-1 name=rust-minimal ver=0.1")?;
    for line in io::stdin().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let verb = words.next().unwrap_or("");
        let id = words.next().unwrap_or("");
        match verb {
            "game" => say(&format!("ready {id}"))?,
            "ping" => say(&format!("pong {id}"))?,
            "turn" => {
                if let Some(legal) = words.find_map(|word| word.strip_prefix("legal=")) {
                    let squares: Vec<&str> = legal.split(',').collect();
                    say(&format!("move {id} {}", squares[dice(squares.len())]))?;
                }
            }
            "bye" => break,
            _ => {} // `welcome`, `cancel`, `end`, and whatever a later edition adds
        }
    }
    Ok(())
}

/// Say one line, and flush it: a line that stays in a buffer was never said.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// A number below `sides`; the standard library seeds its hashers at random.
fn dice(sides: usize) -> usize {
    RandomState::new().build_hasher().finish() as usize % sides
}
