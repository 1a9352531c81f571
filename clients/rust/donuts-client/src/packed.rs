//! The msgpack form of a message (DBP-4): one map.

use std::io::Cursor;

use serde::Deserialize;

use crate::error::MessageError;
use crate::message::{BotMessage, RefereeMessage};
use crate::text::is_referee_verb;

/// The payload of a message, without a length.
pub fn write(message: &BotMessage) -> Result<Vec<u8>, MessageError> {
    message.check()?;
    rmp_serde::to_vec_named(message).map_err(|error| MessageError::Malformed(error.to_string()))
}

/// The message of a payload.
pub fn read(payload: &[u8]) -> Result<RefereeMessage, MessageError> {
    #[derive(Deserialize)]
    struct Verb {
        t: String,
    }
    let Verb { t: verb } = decode(payload)?;
    if !is_referee_verb(&verb) {
        return Err(MessageError::UnknownVerb(verb));
    }
    let message: RefereeMessage = decode(payload)?;
    message.check()?;
    Ok(message)
}

/// One value, and nothing after it.
fn decode<'a, T: Deserialize<'a>>(payload: &'a [u8]) -> Result<T, MessageError> {
    let mut bytes = Cursor::new(payload);
    let mut decoder = rmp_serde::Deserializer::new(&mut bytes);
    let value =
        T::deserialize(&mut decoder).map_err(|error| MessageError::Malformed(error.to_string()))?;
    if bytes.position() != payload.len() as u64 {
        return Err(MessageError::Malformed("bytes behind the map".into()));
    }
    Ok(value)
}
