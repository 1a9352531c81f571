//! The text form of a message (DBP-3): a line of printable ASCII.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::de::value::{Error as ValueError, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::{forward_to_deserialize_any, Deserialize};

use crate::error::MessageError;
use crate::message::{BotMessage, Proof, RefereeMessage, MOST};
use crate::square::Square;

const WITH_ID: [&str; 6] = ["game", "turn", "cancel", "ping", "error", "end"];
const WITHOUT_ID: [&str; 2] = ["welcome", "bye"];

/// One key has one type in every message (DBP-6.2).
const INTEGERS: [&str; 19] = [
    "id", "size", "rings", "main", "inc", "margin", "prep", "movemax", "seed", "game", "ply",
    "clock", "oclock", "limit", "spent", "resend", "more", "min", "max",
];
const LISTS: [&str; 4] = ["caps", "legal", "five", "moves"];
const STRINGS: [&str; 8] = [
    "name", "ver", "author", "seat", "session", "ref", "opp", "text",
];

/// Whether a referee of this edition says this.
pub(crate) fn is_referee_verb(verb: &str) -> bool {
    WITH_ID.contains(&verb) || WITHOUT_ID.contains(&verb)
}

// --- reading -------------------------------------------------------------------------------------

enum Value {
    Integer(u64),
    Text(String),
    List(Vec<String>),
}

/// The message of a line, with or without its LF.
pub fn read(line: &[u8]) -> Result<RefereeMessage, MessageError> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if !line.iter().all(|byte| matches!(byte, 0x20..=0x7e)) {
        return Err(malformed("a byte that is not printable ASCII"));
    }
    let line = std::str::from_utf8(line).map_err(|_| malformed("not ASCII"))?;
    let mut tokens = line.split(' ');
    let verb = tokens.next().unwrap_or("");
    let mut fields = BTreeMap::from([("t", Value::Text(verb.into()))]);
    if WITH_ID.contains(&verb) {
        match tokens.next() {
            Some("-") if verb == "error" => {}
            Some(id) => {
                let id = integer(id).ok_or_else(|| malformed("an id that is no integer"))?;
                fields.insert("id", Value::Integer(id));
            }
            None => return Err(malformed("no id")),
        }
    } else if !WITHOUT_ID.contains(&verb) {
        return Err(MessageError::UnknownVerb(verb.into()));
    }
    let mut seen = BTreeSet::from(["t", "id"]);
    for token in tokens {
        let (key, raw) = token
            .split_once('=')
            .ok_or_else(|| malformed("a field without ="))?;
        if !is_key(key) || !seen.insert(key) {
            return Err(malformed("a key that is none, or is repeated"));
        }
        let decoded = unescape(raw)?;
        if raw == "-" && matches!(key, "last" | "winner") {
            continue;
        }
        fields.insert(key, value(key, raw, decoded));
    }
    for (of, key) in [("turn", "last"), ("end", "winner")] {
        if verb == of && !seen.contains(key) {
            return Err(malformed("a field is missing"));
        }
    }
    let fields: MapDeserializer<'_, _, ValueError> = MapDeserializer::new(fields.into_iter());
    let message = RefereeMessage::deserialize(fields)
        .map_err(|error| MessageError::Malformed(error.to_string()))?;
    message.check()?;
    Ok(message)
}

fn malformed(reason: &str) -> MessageError {
    MessageError::Malformed(reason.into())
}

fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key
            .bytes()
            .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// DBP-3.7: without sign and leading zero, below 2^53.
fn integer(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    if !plain || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    digits.parse().ok().filter(|number| *number <= MOST)
}

/// A value that does not have the type of its key stays a text, and is refused where the verb knows the key.
fn value(key: &str, raw: &str, decoded: String) -> Value {
    if STRINGS.contains(&key) {
        Value::Text(decoded)
    } else if LISTS.contains(&key) {
        let items = raw.split(',').filter(|_| !raw.is_empty());
        Value::List(items.map(str::to_owned).collect())
    } else {
        match integer(raw) {
            Some(number) if INTEGERS.contains(&key) || key == "maxline" => Value::Integer(number),
            _ => Value::Text(raw.into()),
        }
    }
}

/// DBP-3.6.
fn unescape(raw: &str) -> Result<String, MessageError> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || {
            let digit = rest.next().map(char::from)?;
            digit.to_digit(16)
        };
        match (digit(), digit()) {
            (Some(high), Some(low)) => bytes.push((16 * high + low) as u8),
            _ => return Err(malformed("a % without two hexadecimal digits")),
        }
    }
    String::from_utf8(bytes).map_err(|_| malformed("escapes that are not UTF-8"))
}

impl<'de> IntoDeserializer<'de, ValueError> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Value::Integer(number) => visitor.visit_u64(number),
            Value::Text(text) => visitor.visit_string(text),
            Value::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

// --- writing -------------------------------------------------------------------------------------

/// The line of a message, without its LF.
pub fn write(message: &BotMessage) -> Result<String, MessageError> {
    message.check()?;
    Ok(match message {
        BotMessage::Hello(hello) => Line::new("hello")
            .word("donuts", Some(&hello.donuts))
            .text("name", Some(&hello.name))
            .text("ver", hello.ver.as_ref())
            .text("author", hello.author.as_ref())
            .list("caps", hello.caps.as_deref())
            .text("seat", hello.seat.as_ref())
            .text("session", hello.session.as_ref())
            .word("tc", hello.tc.as_ref()),
        BotMessage::Ready(id) => Line::new("ready").argument(id.id),
        BotMessage::Resign(id) => Line::new("resign").argument(id.id),
        BotMessage::Pong(id) => Line::new("pong").argument(id.id),
        BotMessage::Move(m) => Line::new("move").argument(m.id).argument(m.sq).report(
            m.eval,
            m.proof,
            m.nodes,
            m.depth,
            m.pv.as_deref(),
            m.text.as_ref(),
        ),
        BotMessage::Info(i) => Line::new("info").argument(i.id).report(
            i.eval,
            i.proof,
            i.nodes,
            i.depth,
            i.pv.as_deref(),
            i.text.as_ref(),
        ),
        BotMessage::Error(error) => match error.id {
            Some(id) => Line::new("error").argument(id),
            None => Line::new("error").argument('-'),
        }
        .word("code", error.code.as_ref())
        .text("text", error.text.as_ref()),
        BotMessage::Bye(bye) => Line::new("bye").text("text", bye.text.as_ref()),
    }
    .0)
}

/// A line that grows by tokens; writing to a `String` cannot fail.
struct Line(String);

impl Line {
    fn new(verb: &str) -> Self {
        Line(verb.into())
    }

    fn argument(mut self, argument: impl std::fmt::Display) -> Self {
        let _ = write!(self.0, " {argument}");
        self
    }

    fn word(mut self, key: &str, value: Option<impl std::fmt::Display>) -> Self {
        if let Some(value) = value {
            let _ = write!(self.0, " {key}={value}");
        }
        self
    }

    fn text(self, key: &str, value: Option<&String>) -> Self {
        self.word(key, value.map(|text| escape(text)))
    }

    fn list(self, key: &str, items: Option<&[impl ToString]>) -> Self {
        let joined = items.map(|items| {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            items.join(",")
        });
        self.word(key, joined)
    }

    fn report(
        self,
        eval: Option<u64>,
        proof: Option<Proof>,
        nodes: Option<u64>,
        depth: Option<u64>,
        pv: Option<&[Square]>,
        text: Option<&String>,
    ) -> Self {
        let proof = proof.map(|proof| match proof {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        });
        self.word("eval", eval)
            .word("proof", proof)
            .word("nodes", nodes)
            .word("depth", depth)
            .list("pv", pv)
            .text("text", text)
    }
}

/// DBP-3.5.
fn escape(text: &str) -> String {
    text.bytes()
        .fold(String::with_capacity(text.len()), |mut out, byte| {
            match byte {
                b'%' | b',' | b'=' | 0..=0x20 | 0x7f..=0xff => {
                    let _ = write!(out, "%{byte:02X}");
                }
                _ => out.push(byte.into()),
            }
            out
        })
}
