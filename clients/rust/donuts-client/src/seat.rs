//! The join file: where an arena is, and what claims a seat there (DBP-11.13).

use std::fmt;
use std::net::IpAddr;
use std::path::Path;

use crate::error::SeatError;

/// The environment variable that holds the token of a seat where the join file does not.
pub const SEAT_VARIABLE: &str = "DONUTS_SEAT";

/// Where to dial and what to show there.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Seat {
    /// Such as `tcp://127.0.0.1:7464`.
    pub endpoint: String,
    /// The name of the team.
    pub name: Option<String>,
    /// The secret token, said as `seat` in `hello`.
    pub token: Option<String>,
    /// CURVE; without keys the connection is plain.
    pub keys: Option<Keys>,
}

/// Three keys in Z85, 40 characters each.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    /// The arena's.
    pub server: String,
    /// The bot's own.
    pub public: String,
    /// The bot's own, which nobody else may see.
    pub secret: String,
}

impl Seat {
    /// A seat at an arena that asks for nothing.
    pub fn at(endpoint: impl Into<String>) -> Self {
        Seat {
            endpoint: endpoint.into(),
            ..Seat::default()
        }
    }

    /// The seat that a join file describes.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SeatError> {
        Seat::parse(&std::fs::read_to_string(path).map_err(SeatError::Unreadable)?)
    }

    /// The seat that the text of a join file describes: lines of `key = "value"`, and comments.
    pub fn parse(text: &str) -> Result<Self, SeatError> {
        let mut seat = Seat::default();
        let [mut server, mut public, mut secret] = [None, None, None];
        for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fault = |reason: &str| SeatError::Line {
                line: number,
                reason: reason.into(),
            };
            let (key, rest) = line
                .split_once('=')
                .ok_or_else(|| fault("it is not key = \"value\""))?;
            let value =
                quoted(rest.trim()).ok_or_else(|| fault("its value is no text in quotes"))?;
            let place = match key.trim() {
                "endpoint" => {
                    seat.endpoint = value;
                    continue;
                }
                "name" => &mut seat.name,
                "token" => &mut seat.token,
                "server_key" => &mut server,
                "public_key" => &mut public,
                "secret_key" => &mut secret,
                _ => return Err(fault("no such key in a join file")),
            };
            *place = Some(value);
        }
        seat.keys = match (server, public, secret) {
            (Some(server), Some(public), Some(secret)) => Some(Keys {
                server,
                public,
                secret,
            }),
            (None, None, None) => None,
            _ => return Err(unusable("one of the three keys is missing")),
        };
        if seat.endpoint.is_empty() {
            return Err(unusable("the join file names no endpoint"));
        }
        Ok(seat)
    }

    /// The same seat, with the token of `DONUTS_SEAT` where it has none.
    pub fn with_token_of_environment(mut self) -> Self {
        if self.token.is_none() {
            self.token = std::env::var(SEAT_VARIABLE)
                .ok()
                .filter(|token| !token.is_empty());
        }
        self
    }

    /// Refuses to speak without encryption where others could listen (DBP-11.4).
    pub(crate) fn check(&self) -> Result<(), SeatError> {
        if self.keys.is_some() || is_local(&self.endpoint) {
            Ok(())
        } else {
            Err(unusable(&format!(
                "{} is no loopback address, and without keys everybody could listen: use a join file with keys",
                self.endpoint
            )))
        }
    }
}

/// Keeps what is secret out of logs.
impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat")
            .field("endpoint", &self.endpoint)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Keeps what is secret out of logs.
impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

fn unusable(reason: &str) -> SeatError {
    SeatError::Unusable(reason.into())
}

/// The text between the quotes; behind them nothing but a comment. `'...'` takes every character as it is.
fn quoted(value: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = value.chars();
    let quote = rest.next().filter(|c| matches!(c, '"' | '\''))?;
    loop {
        match rest.next()? {
            c if c == quote => break,
            '\\' if quote == '"' => match rest.next()? {
                c @ ('"' | '\\') => text.push(c),
                _ => return None,
            },
            c => text.push(c),
        }
    }
    let behind = rest.as_str().trim_start();
    (behind.is_empty() || behind.starts_with('#')).then_some(text)
}

fn is_local(endpoint: &str) -> bool {
    let Some(address) = endpoint.strip_prefix("tcp://") else {
        return true;
    };
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_file_is_read() {
        let text = "# a seat\nname = \"a \\\"b\\\" \\\\\"\r\nendpoint='tcp://127.0.0.1:1'\ntoken = \"t#=\" # secret\n";
        let seat = Seat::parse(text).unwrap();
        assert_eq!(seat.name.as_deref(), Some("a \"b\" \\"));
        assert_eq!(seat.endpoint, "tcp://127.0.0.1:1");
        assert_eq!(seat.token.as_deref(), Some("t#="));
        assert_eq!(seat.keys, None);
    }

    #[test]
    fn what_is_no_join_file_says_why() {
        let why = |text: &str| Seat::parse(text).unwrap_err().to_string();
        assert!(why("name = \"a\"").contains("endpoint"));
        assert!(why("\nendpoint = tcp").contains("line 2"));
        assert!(why("endpoint = \"a\" b").contains("line 1"));
        assert!(why("endpoint = \"e\"\npassword = \"p\"").contains("no such key"));
        assert!(why("endpoint = \"e\"\nsecret_key = \"p\"").contains("three keys"));
    }

    #[test]
    fn plain_words_stay_on_this_machine() {
        for local in [
            "tcp://127.0.0.1:7464",
            "tcp://[::1]:7464",
            "tcp://localhost:1",
            "ipc://run/a",
        ] {
            assert!(Seat::at(local).check().is_ok(), "{local}");
        }
        assert!(Seat::at("tcp://192.0.2.1:7464").check().is_err());
        assert!(Seat::at("tcp://arena.example:7464").check().is_err());
    }

    #[test]
    fn secrets_are_not_shown() {
        let seat = Seat::parse("endpoint = \"e\"\ntoken = \"hush\"").unwrap();
        assert!(!format!("{seat:?}").contains("hush"));
    }
}
