//! The library reads and writes the golden messages of `protocol/vectors`, byte by byte.

use donuts_client::{packed, text, BotMessage, MessageError, RefereeMessage};
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    let path = format!(
        "{}/../../../protocol/vectors/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path)
        .expect("the vectors")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

fn of(from: &str, file: &str) -> Vec<Value> {
    let cases: Vec<Value> = cases(file)
        .into_iter()
        .filter(|case| case["from"] == from)
        .collect();
    assert!(!cases.is_empty());
    cases
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().expect("hex");
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("a byte"))
        .collect()
}

/// The map of a message, from which no field was lost on the way.
fn map(message: &RefereeMessage) -> Value {
    serde_json::to_value(message).expect("a map")
}

#[test]
fn what_a_referee_sends_is_read_to_the_same_values_from_text_and_msgpack() {
    for case in of("referee", "messages.jsonl") {
        let line = case["text"].as_str().unwrap();
        let from_text = text::read(line.as_bytes());
        let from_text = from_text.unwrap_or_else(|fault| panic!("{}: {fault}", case["name"]));
        let from_msgpack = packed::read(&bytes(&case["msgpack"]));
        let from_msgpack = from_msgpack.unwrap_or_else(|fault| panic!("{}: {fault}", case["name"]));
        assert_eq!(from_text, from_msgpack, "{}", case["name"]);
        let mut expected = case["message"].clone();
        if expected["resend"] == 0 {
            // the library does not tell this from a turn without the field
            expected.as_object_mut().unwrap().remove("resend");
        }
        assert_eq!(map(&from_text), expected, "{}", case["name"]);
    }
}

#[test]
fn what_a_bot_sends_is_written_to_the_very_bytes() {
    for case in of("bot", "messages.jsonl") {
        let message: BotMessage = serde_json::from_value(case["message"].clone()).unwrap();
        let line = text::write(&message).unwrap();
        assert_eq!(Value::from(line), case["text"], "{}", case["name"]);
        let payload = packed::write(&message).unwrap();
        assert_eq!(payload, bytes(&case["msgpack"]), "{}", case["name"]);
    }
}

fn read(case: &Value) -> Result<RefereeMessage, MessageError> {
    match case["encoding"].as_str() {
        Some("text") => text::read(&bytes(&case["hex"])),
        _ => packed::read(&bytes(&case["hex"])),
    }
}

#[test]
fn what_a_writer_would_write_differently_is_read() {
    for case in of("referee", "acceptances.jsonl") {
        let message = read(&case).unwrap_or_else(|fault| panic!("{}: {fault}", case["name"]));
        assert_eq!(map(&message), case["message"], "{}", case["name"]);
    }
}

#[test]
fn what_is_no_message_is_refused() {
    for case in of("referee", "refusals.jsonl") {
        let refused = read(&case);
        assert!(refused.is_err(), "{}: {refused:?}", case["name"]);
    }
}

#[test]
fn broken_payloads_are_refused() {
    let whole = packed::write(&BotMessage::Bye(Default::default())).unwrap();
    assert!(packed::read(&whole).is_ok(), "`bye` is a word of both ends");
    for broken in [
        &b""[..],
        b"\xc0",
        b"\x81",
        b"\xc1",
        b"\x81\xa1t\x01",
        b"\x80",
    ] {
        assert!(packed::read(broken).is_err(), "{broken:?}");
    }
    let mut trailing = whole;
    trailing.push(0xc0);
    assert!(packed::read(&trailing).is_err());
}

#[test]
fn verbs_of_a_later_edition_are_told_apart() {
    let unknown = Err(MessageError::UnknownVerb("ponder".into()));
    assert_eq!(text::read(b"ponder 1 x_why=none"), unknown);
    assert_eq!(packed::read(b"\x81\xa1t\xa6ponder"), unknown);
}

#[test]
fn what_no_referee_would_take_is_not_written() {
    let refused = |json: Value| {
        let message: BotMessage = serde_json::from_value(json).unwrap();
        text::write(&message).is_err() && packed::write(&message).is_err()
    };
    use serde_json::json;
    assert!(refused(json!({"t": "hello", "donuts": "1-1", "name": ""})));
    assert!(refused(
        json!({"t": "hello", "donuts": "1-1", "name": "a\u{202e}b"})
    ));
    assert!(refused(
        json!({"t": "hello", "donuts": "1-1", "name": "a", "tc": "soon"})
    ));
    assert!(refused(
        json!({"t": "move", "id": 1, "sq": "a1", "eval": 1001})
    ));
    assert!(refused(json!({"t": "ready", "id": 1u64 << 53})));
}
