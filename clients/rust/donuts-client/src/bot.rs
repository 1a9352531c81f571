//! What an author writes, and the loop that plays it at an arena.

use std::fmt;

use crate::error::{BotFault, Error};
use crate::message::{BotMessage, Complaint, End, Game, Id, Move, Proof, RefereeMessage, Turn};
use crate::seat::Seat;
use crate::square::Square;
use crate::wire::{one_line, Farewell, Wire};
use crate::Encoding;

/// A player. Its methods are called one at a time.
pub trait Bot {
    /// A game is about to begin; no clock runs yet.
    fn prepare(&mut self, _game: &Game) -> Result<(), BotFault> {
        Ok(())
    }

    /// Choose one of `turn.legal` within `turn.limit` ms.
    fn choose(&mut self, turn: &Turn) -> Result<Choice, BotFault>;

    /// The game is over.
    fn finish(&mut self, _end: &End) -> Result<(), BotFault> {
        Ok(())
    }
}

/// The answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A ring on this square.
    Place(Square),
    /// The same, with what the bot thinks of it.
    Report(Square, Report),
    /// Give the game up.
    Resign,
}

impl From<Square> for Choice {
    fn from(square: Square) -> Self {
        Choice::Place(square)
    }
}

/// What a bot thinks of its move: voluntary, never judged, kept in the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its chances in permille, 0 to 1000.
    pub eval: Option<u64>,
    /// What it has proved.
    pub proof: Option<Proof>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Depth of the search in plies.
    pub depth: Option<u64>,
    /// The placements it expects.
    pub pv: Option<Vec<Square>>,
    /// A sentence for people; what is too long is cut off.
    pub text: Option<String>,
}

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Name for display; `None`: that of the seat.
    pub name: Option<String>,
    /// The bot's own version.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// A time control to wish for, such as `60+0.1`.
    pub tc: Option<String>,
    /// Leave after so many games; `None`: stay.
    pub games: Option<u64>,
    /// How messages look on the wire.
    pub encoding: Encoding,
    /// Takes lines for people, about the connection.
    pub notice: fn(&str),
}

impl Default for Options {
    fn default() -> Self {
        Options {
            name: None,
            version: None,
            author: None,
            tc: None,
            games: None,
            encoding: Encoding::default(),
            notice: |line| eprintln!("{line}"),
        }
    }
}

impl Options {
    /// The default, under a name.
    pub fn named(name: impl Into<String>) -> Self {
        Options {
            name: Some(name.into()),
            ..Options::default()
        }
    }
}

/// How it ended, where nothing went wrong with the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parting {
    /// The arena has no more games.
    Done,
    /// The bot left after as many games as were asked for.
    Enough,
    /// The arena sent the bot away, and it should not come back by itself.
    SentAway {
        /// `seat`, `replaced`, `kicked`, `benched`, `version`, or `key` where the CURVE key was refused.
        why: String,
        /// The arena's sentence, where it said one.
        text: Option<String>,
    },
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parting::Done => f.write_str("the arena is done"),
            Parting::Enough => f.write_str("played as many games as were asked for"),
            Parting::SentAway { why, text } => {
                match why.as_str() {
                    "key" => f.write_str("the arena does not let this key in")?,
                    _ => write!(f, "the arena says bye: {why}")?,
                }
                text.as_ref().map_or(Ok(()), |text| write!(f, " ({text})"))
            }
        }
    }
}

impl From<Farewell> for Parting {
    fn from(farewell: Farewell) -> Self {
        match farewell.why {
            None => Parting::Done,
            Some(why) if why == "done" => Parting::Done,
            Some(why) => Parting::SentAway {
                why,
                text: farewell.text,
            },
        }
    }
}

/// Dial in and play until the arena or the bot has had enough.
///
/// Waits as long as it takes, and dials again whenever it must. Fails where there is no dialling there, where a message
/// cannot be written, and where the bot's own code fails.
pub fn play<B: Bot + ?Sized>(
    bot: &mut B,
    seat: &Seat,
    options: &Options,
) -> Result<Parting, Error> {
    let mut wire = Wire::new(seat, options)?;
    let mut game = None;
    let mut left = options.games;
    while left != Some(0) {
        let message = match wire.read()? {
            Ok(message) => message,
            Err(farewell) => return Ok(farewell.into()),
        };
        let mut over = false;
        match message {
            RefereeMessage::Welcome(_) => {
                // In a new session nobody will tell how the game of the old one ended.
                over = wire.renewed() && game.is_some();
            }
            RefereeMessage::Game(announced) => {
                if game != Some(announced.id) {
                    game = Some(announced.id);
                    let prepared = bot.prepare(&announced);
                    shield(&mut wire, Some(announced.id), prepared)?;
                    wire.look()?;
                }
                wire.say(&BotMessage::Ready(Id { id: announced.id }))?;
            }
            RefereeMessage::Turn(turn) if wire.awaits(turn.id) => {
                game = Some(turn.game);
                let chosen = bot.choose(&turn);
                let choice = shield(&mut wire, Some(turn.id), chosen)?;
                wire.look()?; // it may have been cancelled, or the connection lost
                wire.say(&answer(turn.id, choice))?;
            }
            RefereeMessage::Ping(ping) => wire.say(&BotMessage::Pong(ping))?,
            RefereeMessage::End(end) => {
                let finished = bot.finish(&end);
                shield(&mut wire, None, finished)?;
                over = true;
            }
            RefereeMessage::Error(error) => {
                let code = error.code.unwrap_or_default();
                let text = error.text.unwrap_or_default();
                (options.notice)(&format!("the arena says: error {code} {text}"));
            }
            RefereeMessage::Turn(_) | RefereeMessage::Cancel(_) | RefereeMessage::Bye(_) => {}
        }
        if over {
            game = None;
            left = left.map(|left| left - 1);
        }
    }
    wire.leave()?;
    Ok(Parting::Enough)
}

fn answer(id: u64, choice: Choice) -> BotMessage {
    let (sq, report) = match choice {
        Choice::Place(square) => (square, Report::default()),
        Choice::Report(square, report) => (square, report),
        Choice::Resign => return BotMessage::Resign(Id { id }),
    };
    BotMessage::Move(Move {
        id,
        eval: report.eval,
        proof: report.proof,
        nodes: report.nodes,
        depth: report.depth,
        pv: report.pv,
        text: report.text.as_deref().map(one_line),
        sq,
    })
}

/// The arena is told of a failure in the bot's own code before it ends the bot.
fn shield<T>(
    wire: &mut Wire<'_>,
    question: Option<u64>,
    result: Result<T, BotFault>,
) -> Result<T, Error> {
    match result {
        Ok(value) => Ok(value),
        Err(fault) => {
            wire.say(&BotMessage::Error(Complaint {
                id: question,
                code: Some("exception".into()),
                text: Some(one_line(&fault.to_string())),
            }))?;
            wire.leave()?;
            Err(Error::Bot(fault))
        }
    }
}
