//! Bounds of values that have the right type, both of what is read and of what is written (SPEC.md, section 6).

use crate::error::MessageError;
use crate::message::{BotMessage, Complaint, RefereeMessage, MOST};
use crate::square::Square;

impl RefereeMessage {
    /// Refuses values that have the right type and are out of their bounds.
    pub(crate) fn check(&self) -> Result<(), MessageError> {
        match self {
            RefereeMessage::Welcome(welcome) => {
                require(welcome.maxline > 0, "maxline", "at least 1")?;
                for word in &welcome.caps {
                    check_word("caps", Some(word))?;
                }
                check_text("session", Some(&welcome.session), 1, 64)?;
                check_text("ref", Some(&welcome.referee), 1, 80)?;
                check_text("name", welcome.name.as_ref(), 1, 40)
            }
            RefereeMessage::Game(game) => {
                check_board(game.size, game.rings)?;
                check_text("opp", game.opp.as_ref(), 1, 40)
            }
            RefereeMessage::Turn(turn) => {
                check_board(turn.size, turn.rings)?;
                let squares = usize::from(turn.size) * usize::from(turn.size);
                check_letters("layout", &turn.layout, "HVDA", &[squares])?;
                check_letters("cells", &turn.cells, ".xo", &[squares])?;
                require(!turn.legal.is_empty(), "legal", "at least one square")
            }
            RefereeMessage::Cancel(cancel) => check_word("why", cancel.why.as_ref()),
            RefereeMessage::Ping(_) => Ok(()),
            RefereeMessage::Error(error) => error.check(),
            RefereeMessage::End(end) => {
                check_word("why", Some(&end.why))?;
                check_letters("cells", &end.cells, ".xo", &[36, 81])?;
                check_text("text", end.text.as_ref(), 0, 200)
            }
            RefereeMessage::Bye(bye) => check_word("why", bye.why.as_ref()),
        }
    }
}

impl BotMessage {
    /// Refuses what no referee would take.
    pub(crate) fn check(&self) -> Result<(), MessageError> {
        let id = match self {
            BotMessage::Hello(hello) => {
                check_text("name", Some(&hello.name), 1, 40)?;
                check_text("ver", hello.ver.as_ref(), 0, 40)?;
                check_text("author", hello.author.as_ref(), 0, 40)?;
                check_text("seat", hello.seat.as_ref(), 1, 128)?;
                check_text("session", hello.session.as_ref(), 1, 64)?;
                check_tc(hello.tc.as_ref())?;
                for word in hello.caps.iter().flatten() {
                    check_word("caps", Some(word))?;
                }
                return Ok(());
            }
            BotMessage::Move(answer) => {
                check_report(answer.eval, answer.pv.as_ref(), answer.text.as_ref())?;
                answer.id
            }
            BotMessage::Info(info) => {
                check_report(info.eval, info.pv.as_ref(), info.text.as_ref())?;
                info.id
            }
            BotMessage::Ready(id) | BotMessage::Resign(id) | BotMessage::Pong(id) => id.id,
            BotMessage::Error(error) => return error.check(),
            BotMessage::Bye(bye) => return check_text("text", bye.text.as_ref(), 0, 200),
        };
        require(id <= MOST, "id", "below 2^53")
    }
}

impl Complaint {
    fn check(&self) -> Result<(), MessageError> {
        check_word("code", self.code.as_ref())?;
        check_text("text", self.text.as_ref(), 0, 200)
    }
}

fn require(holds: bool, key: &'static str, wanted: &'static str) -> Result<(), MessageError> {
    if holds {
        Ok(())
    } else {
        Err(MessageError::Value { key, wanted })
    }
}

fn check_board(size: u8, rings: u8) -> Result<(), MessageError> {
    require(matches!(size, 6 | 9), "size", "6 or 9")?;
    require((1..=40).contains(&rings), "rings", "1 to 40")
}

fn check_report(
    eval: Option<u64>,
    pv: Option<&Vec<Square>>,
    text: Option<&String>,
) -> Result<(), MessageError> {
    require(eval.unwrap_or(0) <= 1000, "eval", "0 to 1000")?;
    require(
        pv.map_or(0, Vec::len) <= 81,
        "pv",
        "a list of at most 81 squares",
    )?;
    check_text("text", text, 0, 200)
}

fn check_letters(
    key: &'static str,
    letters: &str,
    alphabet: &str,
    lengths: &[usize],
) -> Result<(), MessageError> {
    let fits = lengths.contains(&letters.len()) && letters.chars().all(|c| alphabet.contains(c));
    require(fits, key, "a letter for each square")
}

/// DBP-6.2: a word is a lower-case letter, then lower-case letters, digits and underscores, 32 at most.
fn check_word(key: &'static str, word: Option<&String>) -> Result<(), MessageError> {
    let fits = word.is_none_or(|word| {
        word.len() <= 32
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .bytes()
                .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    });
    require(fits, key, "a word of at most 32 lower-case letters")
}

/// DBP-3.10, DBP-3.13: so many characters, no controls.
fn check_text(
    key: &'static str,
    text: Option<&String>,
    least: usize,
    most: usize,
) -> Result<(), MessageError> {
    let fits = text.is_none_or(|text| {
        (least..=most).contains(&text.chars().count()) && !text.chars().any(is_control)
    });
    require(fits, key, "a text of the right length without controls")
}

/// DBP-11.15: `60+0.1`, `60` or `inf`.
fn check_tc(tc: Option<&String>) -> Result<(), MessageError> {
    let number =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let fits = tc.is_none_or(|tc| tc == "inf" || tc.splitn(2, '+').all(number));
    require(fits, "tc", "such as 60+0.1, 60 or inf")
}

/// Characters that no string of DBP may hold: controls, and what changes the direction of writing.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
