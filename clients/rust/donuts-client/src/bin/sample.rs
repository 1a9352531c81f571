//! A bot that dials in to an arena and likes company: it places its ring beside as many of its own as it can.

use std::process::ExitCode;

use donuts_client::{
    play, Bot, BotFault, Choice, Error, Game, Options, Parting, Seat, Side, Square, Turn,
};

const USAGE: &str =
    "usage: sample (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]

The token of a seat comes from the join file, or from the environment variable DONUTS_SEAT.";

#[derive(Default)]
struct Sample {
    seed: u64,
}

impl Bot for Sample {
    fn prepare(&mut self, game: &Game) -> Result<(), BotFault> {
        self.seed = game.seed;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Choice, BotFault> {
        let most = turn.legal.iter().map(|square| company(turn, *square)).max();
        let best: Vec<Square> = turn
            .legal
            .iter()
            .copied()
            .filter(|square| Some(company(turn, *square)) == most)
            .collect();
        let dice = dice(self.seed, u64::from(turn.ply));
        let square = best
            .get(dice as usize % best.len().max(1))
            .ok_or("a turn without a legal square")?;
        Ok((*square).into())
    }
}

/// How many own rings lie beside a square.
fn company(turn: &Turn, square: Square) -> usize {
    let own = match turn.you {
        Side::X => b'x',
        Side::O => b'o',
    };
    [(-1, 0), (1, 0), (0, -1), (0, 1)]
        .iter()
        .filter_map(|(right, up)| {
            let column = square.column().checked_add_signed(*right)?;
            let row = square.row().checked_add_signed(*up)?;
            (column < turn.size && row < turn.size).then_some(Square::new(column, row)?)
        })
        .filter(|beside| turn.cells.as_bytes()[beside.index(turn.size)] == own)
        .count()
}

/// SplitMix64: the same for the same turn of the same game, so that a turn which is sent again is answered alike.
fn dice(seed: u64, ply: u64) -> u64 {
    let mut z = seed.wrapping_add((ply + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The command line; what is wrong with it is told in one line.
fn arguments(words: impl Iterator<Item = String>) -> Result<(Seat, Options), String> {
    let mut words = words;
    let (mut endpoint, mut file) = (None, None);
    let mut options = Options {
        version: Some(env!("CARGO_PKG_VERSION").into()),
        ..Options::default()
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--connect" => endpoint = Some(value()?),
            "--seat-file" => file = Some(value()?),
            "--name" => options.name = Some(value()?),
            "--tc" => options.tc = Some(value()?),
            "--games" => {
                let games = value()?;
                let games = games
                    .parse()
                    .map_err(|_| format!("{games}: no number of games"))?;
                options.games = Some(games);
            }
            _ => return Err(format!("{word}: no such option\n{USAGE}")),
        }
    }
    let mut seat = match (&endpoint, &file) {
        (_, Some(file)) => Seat::from_file(file).map_err(|fault| format!("{file} {fault}"))?,
        (Some(endpoint), None) => Seat::at(endpoint),
        (None, None) => return Err(USAGE.into()),
    };
    if let Some(endpoint) = endpoint {
        seat.endpoint = endpoint;
    }
    if options.name.is_none() && seat.name.is_none() {
        options.name = Some("rust-sample".into());
    }
    Ok((seat.with_token_of_environment(), options))
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let (seat, options) = match arguments(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(line) => {
            eprintln!("{line}");
            return ExitCode::from(2);
        }
    };
    match play(&mut Sample::default(), &seat, &options) {
        Ok(parting @ Parting::SentAway { .. }) => {
            eprintln!("{parting}");
            ExitCode::from(3)
        }
        Ok(Parting::Done | Parting::Enough) => ExitCode::SUCCESS,
        Err(Error::Zmq(error)) => {
            eprintln!("{} cannot be dialled: {error}", seat.endpoint);
            ExitCode::from(2)
        }
        Err(error @ (Error::Seat(_) | Error::Message(_))) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
