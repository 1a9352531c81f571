//! The minimal bot hears every golden message of a referee, and answers what is a question.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

#[test]
fn answers_every_question_of_the_vectors() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../protocol/vectors/messages.jsonl"
    );
    let messages: Vec<Value> = std::fs::read_to_string(path)
        .expect("the vectors")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .filter(|case: &Value| case["from"] == "referee" && case["message"]["t"] != "bye")
        .collect();
    assert!(messages.len() > 10);

    let mut bot = Command::new(env!("CARGO_BIN_EXE_minimal"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bot");
    let mut to = bot.stdin.take().expect("its stdin");
    let mut from = BufReader::new(bot.stdout.take().expect("its stdout")).lines();
    let mut heard = || from.next().expect("a line").expect("text");

    assert!(heard().starts_with("hello donuts=1-1 name="));
    for case in &messages {
        writeln!(to, "{}", case["text"].as_str().unwrap()).expect("it reads");
        let (message, name) = (&case["message"], &case["name"]);
        match message["t"].as_str().unwrap() {
            "game" => assert_eq!(heard(), format!("ready {}", message["id"]), "{name}"),
            "ping" => assert_eq!(heard(), format!("pong {}", message["id"]), "{name}"),
            "turn" => {
                let answer = heard();
                let square = answer.strip_prefix(&format!("move {} ", message["id"]));
                let legal = message["legal"].as_array().unwrap();
                assert!(
                    square.is_some_and(|square| legal.iter().any(|one| one == square)),
                    "{name}: {answer}"
                );
            }
            _ => {}
        }
    }
    writeln!(to, "bye why=done").expect("it reads");
    assert!(bot.wait().expect("its end").success());
    assert!(from.next().is_none(), "nothing was said that was not asked");
}

#[test]
fn leaves_when_its_input_ends() {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_minimal"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the bot");
    assert!(bot.wait().expect("its end").success());
}
