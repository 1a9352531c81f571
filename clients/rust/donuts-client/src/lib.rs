//! Lets a bot dial in to a DONUTS arena over ZeroMQ, speaking DBP/1 (`protocol/SPEC.md`) in msgpack or text.
//!
//! Write a [`Bot`], and let it [`play`]:
//!
//! ```no_run
//! use donuts_client::{play, Bot, BotFault, Choice, Options, Seat, Turn};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, turn: &Turn) -> Result<Choice, BotFault> {
//!         Ok(turn.legal[0].into())
//!     }
//! }
//!
//! fn main() -> Result<(), donuts_client::Error> {
//!     let seat = Seat::at("tcp://127.0.0.1:7464");
//!     let parting = play(&mut First, &seat, &Options::named("first"))?;
//!     println!("{parting}");
//!     Ok(())
//! }
//! ```
//!
//! A lost connection is replaced without the bot noticing: its session is taken up again, and the answer to a turn that
//! is sent again is given again (DBP-11.8 to DBP-11.11).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bot;
mod bounds;
mod dealer;
mod error;
pub mod message;
pub mod packed;
mod seat;
mod session;
mod square;
pub mod text;
mod wire;

pub use bot::{play, Bot, Choice, Options, Parting, Report};
pub use error::{BotFault, Error, MessageError, SeatError};
pub use message::{BotMessage, End, Game, GameResult, Proof, RefereeMessage, Side, Turn};
pub use seat::{Keys, Seat, SEAT_VARIABLE};
pub use square::Square;

/// How messages look on the wire; the bot chooses (DBP-2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Binary, one map a message: see [`packed`].
    #[default]
    Msgpack,
    /// Printable ASCII, for those who read along: see [`text`].
    Text,
}

impl Encoding {
    /// The frame of a message.
    pub fn write(self, message: &BotMessage) -> Result<Vec<u8>, MessageError> {
        match self {
            Encoding::Msgpack => packed::write(message),
            Encoding::Text => text::write(message).map(String::into_bytes),
        }
    }

    /// The message in a frame.
    pub fn read(self, frame: &[u8]) -> Result<RefereeMessage, MessageError> {
        match self {
            Encoding::Msgpack => packed::read(frame),
            Encoding::Text => text::read(frame),
        }
    }
}
