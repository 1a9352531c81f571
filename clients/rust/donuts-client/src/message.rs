//! The messages of DBP between a bot and its referee, as SPEC.md's section 6 lists them.
//!
//! All times are milliseconds. What the text form writes as `-`, and what is not there, is `None`.

use serde::{Deserialize, Serialize};

use crate::square::Square;

/// The greatest integer on the wire, 2^53 - 1.
pub const MOST: u64 = (1 << 53) - 1;

/// What a bot says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
#[allow(missing_docs)] // each is documented where it is defined
pub enum BotMessage {
    Hello(Hello),
    Ready(Id),
    Move(Move),
    Resign(Id),
    Info(Info),
    Pong(Id),
    Error(Complaint),
    Bye(Leave),
}

/// What a referee says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum RefereeMessage {
    Welcome(Welcome),
    Game(Game),
    Turn(Turn),
    Cancel(Cancel),
    Ping(Id),
    Error(Complaint),
    End(End),
    Bye(Bye),
}

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Chocolate, who moves first.
    X,
    /// Vanilla.
    O,
}

/// An outcome that a bot has proved, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Proof {
    Win,
    Draw,
    Loss,
}

/// How a game ended, from the bot's own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
    /// Counts for nobody.
    Void,
}

/// Nothing but the id of a question: `ready`, `resign`, `pong`, `ping`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Id {
    /// The question that is asked or answered.
    pub id: u64,
}

/// `hello`, the first message of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The range of versions that the bot speaks, `1-1`.
    pub donuts: String,
    /// 1 to 40 characters, for display.
    pub name: String,
    /// The bot's own version, at most 40 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ver: Option<String>,
    /// Who wrote it, at most 40 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Capabilities that are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caps: Option<Vec<String>>,
    /// The secret token of a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The session that is to be taken up again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The time control that is wished for, such as `60+0.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
}

/// `move`, the answer to a turn. The vectors write `sq` last in msgpack, and so do we.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Id of the turn.
    pub id: u64,
    /// The bot's chances in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<u64>,
    /// What it has proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Positions visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of the search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The placements it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv: Option<Vec<Square>>,
    /// A sentence for people, at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The square that is chosen.
    pub sq: Square,
}

/// `info`, a report while the bot thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// Id of the turn.
    pub id: u64,
    /// The bot's chances in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<u64>,
    /// What it has proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Positions visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of the search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The placements it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv: Option<Vec<Square>>,
    /// A sentence for people, at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// `error`, of either end: a message could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// Id of the message, where it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What it suffers from, one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// `bye` of a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leave {
    /// A sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// `welcome`, the answer to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The version that is spoken, `1-1`.
    pub donuts: String,
    /// Token of the session.
    pub session: String,
    /// Capabilities that are granted.
    pub caps: Vec<String>,
    /// Bytes of the longest message that the referee takes.
    pub maxline: u64,
    /// Name and version of the referee.
    #[serde(rename = "ref")]
    pub referee: String,
    /// Name of the seat, under which the bot is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `game`, which is about to begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Its id.
    pub id: u64,
    /// The bot's side.
    pub you: Side,
    /// Squares per edge, 6 or 9.
    pub size: u8,
    /// Rings a side at the start.
    pub rings: u8,
    /// Time on each clock at the start.
    pub main: u64,
    /// Added to a clock before each of its moves.
    pub inc: u64,
    /// Overrun that is tolerated.
    pub margin: u64,
    /// Time within which `ready` is due.
    pub prep: u64,
    /// Most time for one move; `None`: no such limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movemax: Option<u64>,
    /// Name of the opponent; `None`: it is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opp: Option<String>,
    /// For the bot's own dice.
    pub seed: u64,
}

/// `turn`, a question that holds all there is to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its id.
    pub id: u64,
    /// Id of the game.
    pub game: u64,
    /// Placements made so far.
    pub ply: u8,
    /// The bot's side.
    pub you: Side,
    /// Squares per edge, 6 or 9.
    pub size: u8,
    /// Rings a side at the start of the game.
    pub rings: u8,
    /// The lines of the squares in index order: `H`, `V`, `D` or `A` each.
    pub layout: String,
    /// The rings on the squares in index order: `.`, `x` or `o` each.
    pub cells: String,
    /// The square that was filled last; `None` at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Square>,
    /// The squares to choose from, at least one, in index order.
    pub legal: Vec<Square>,
    /// What is left on the bot's clock, its increment included.
    pub clock: u64,
    /// What is left on the opponent's clock.
    pub oclock: u64,
    /// Added to the clock before each move.
    pub inc: u64,
    /// Time for this move.
    pub limit: u64,
    /// Overrun that is tolerated.
    pub margin: u64,
    /// What the bot's last move was charged.
    pub spent: u64,
    /// It is sent again under the same id.
    #[serde(with = "flag", default, skip_serializing_if = "is_false")]
    pub resend: bool,
}

/// `cancel`: a question is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancel {
    /// Id of the question.
    pub id: u64,
    /// Why, one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// `end` of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Id of the game.
    pub id: u64,
    /// The result from the bot's own side.
    pub result: GameResult,
    /// Who won; `None`: nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// Code of the ending, one of SPEC.md's section 9.
    pub why: String,
    /// A sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Placements made.
    pub ply: u8,
    /// The rings on the squares.
    pub cells: String,
    /// Every square of every row of five or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub five: Option<Vec<Square>>,
    /// All placements in their order.
    pub moves: Vec<Square>,
    /// Another game of the match follows.
    #[serde(with = "flag")]
    pub more: bool,
}

/// `bye` of the referee, its last word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bye {
    /// Why, one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// With `version`: the lowest version that the referee speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// With `version`: the highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
}

/// Flags are the integers 0 and 1.
mod flag {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8((*flag).into())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        match u8::deserialize(deserializer)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(D::Error::custom(format!("{other} is no flag"))),
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
