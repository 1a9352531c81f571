//! What can go wrong, as values.

use std::fmt;
use std::io;

/// What a bot's own code may return when it cannot go on.
pub type BotFault = Box<dyn std::error::Error + Send + Sync>;

/// Why [`play`](crate::play) gave up. A lost connection is no error: it is replaced.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// ZeroMQ refused to do what it was asked to; an endpoint that is none is `EINVAL`.
    Zmq(zmq::Error),
    /// The seat cannot be used.
    Seat(SeatError),
    /// Something the bot wanted to say is no message, its name for instance.
    Message(MessageError),
    /// The bot's own code failed; the arena was told.
    Bot(BotFault),
}

/// Why a join file is none.
#[derive(Debug)]
#[non_exhaustive]
pub enum SeatError {
    /// It cannot be read.
    Unreadable(io::Error),
    /// Line `line` (from 1) is not `key = "value"`, or has a key that join files have not.
    Line {
        /// Number of the line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// What it says as a whole is of no use.
    Unusable(String),
}

/// Why bytes are no message, or a message cannot be written.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// A verb of a later edition: to be ignored (DBP-12.4).
    UnknownVerb(String),
    /// Not a message of DBP.
    Malformed(String),
    /// A value that DBP does not allow in this field.
    Value {
        /// The key of the field.
        key: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Zmq(error) => write!(f, "ZeroMQ: {error}"),
            Error::Seat(error) => error.fmt(f),
            Error::Message(error) => error.fmt(f),
            Error::Bot(error) => write!(f, "the bot: {error}"),
        }
    }
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatError::Unreadable(error) => write!(f, "cannot be read: {error}"),
            SeatError::Line { line, reason } => {
                write!(f, "is no join file: line {line}: {reason}")
            }
            SeatError::Unusable(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::UnknownVerb(verb) => write!(f, "unknown verb {verb:?}"),
            MessageError::Malformed(reason) => write!(f, "not a message: {reason}"),
            MessageError::Value { key, wanted } => write!(f, "{key} must be {wanted}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Zmq(error) => Some(error),
            Error::Seat(error) => Some(error),
            Error::Message(error) => Some(error),
            Error::Bot(error) => Some(error.as_ref()),
        }
    }
}

impl std::error::Error for SeatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SeatError::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

impl std::error::Error for MessageError {}

impl From<zmq::Error> for Error {
    fn from(error: zmq::Error) -> Self {
        Error::Zmq(error)
    }
}

impl From<SeatError> for Error {
    fn from(error: SeatError) -> Self {
        Error::Seat(error)
    }
}

impl From<MessageError> for Error {
    fn from(error: MessageError) -> Self {
        Error::Message(error)
    }
}
