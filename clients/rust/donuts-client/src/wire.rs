//! Reads and writes over one connection after the other, so that a player does not notice when one is lost.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use zmq::Context;

use crate::bot::Options;
use crate::bounds::is_control;
use crate::dealer::{Dealer, News};
use crate::error::{Error, MessageError};
use crate::message::{BotMessage, Complaint, Hello, Leave, RefereeMessage};
use crate::seat::Seat;
use crate::session::{Session, Verdict};

/// Time without `welcome` after which people are told that the arena is away.
const PATIENCE: Duration = Duration::from_secs(3);
/// ms that a last `bye` has to leave.
const FLUSH: i32 = 500;

/// How long to wait before dialling again: `least`, then twice as long each time up to `most`.
struct Pauses {
    least: Duration,
    most: Duration,
    next: Duration,
}

impl Pauses {
    fn new(least: Duration, most: Duration) -> Self {
        Pauses {
            least,
            most,
            next: least,
        }
    }

    fn take(&mut self) -> Duration {
        let pause = self.next;
        self.next = (2 * pause).min(self.most);
        pause
    }

    fn reset(&mut self) {
        self.next = self.least;
    }
}

/// How the arena said goodbye.
pub(crate) struct Farewell {
    /// The word of its `bye`; `key` where it did not let the key in.
    pub(crate) why: Option<String>,
    /// What it complained of before.
    pub(crate) text: Option<String>,
}

pub(crate) struct Wire<'a> {
    seat: &'a Seat,
    options: &'a Options,
    hello: Hello,
    session: Session,
    inbox: VecDeque<RefereeMessage>,
    complaint: Option<String>,
    farewell: Option<Farewell>,
    dial_at: Instant,
    after_loss: Pauses,
    after_bye: Pauses,
    /// Something could not be sent: the connection is of no use.
    cut: bool,
    met: bool,
    told: BTreeSet<String>,
    tell_at: Option<Instant>,
    connection: Option<Dealer>,
    context: Context, // dropped last: it waits for its sockets
}

impl<'a> Wire<'a> {
    pub(crate) fn new(seat: &'a Seat, options: &'a Options) -> Result<Self, Error> {
        seat.check()?;
        let name = options.name.as_ref().or(seat.name.as_ref());
        let hello = Hello {
            donuts: "1-1".into(),
            name: name.map_or("rust", String::as_str).into(),
            ver: options.version.clone(),
            author: options.author.clone(),
            seat: seat.token.clone(),
            tc: options.tc.clone(),
            ..Hello::default()
        };
        options.encoding.write(&BotMessage::Hello(hello.clone()))?;
        let now = Instant::now();
        Ok(Wire {
            seat,
            options,
            hello,
            session: Session::new(now),
            inbox: VecDeque::new(),
            complaint: None,
            farewell: None,
            dial_at: now,
            after_loss: Pauses::new(Duration::from_millis(100), Duration::from_secs(2)),
            after_bye: Pauses::new(Duration::from_secs(1), Duration::from_secs(30)),
            cut: false,
            met: false,
            told: BTreeSet::new(),
            tell_at: Some(now + PATIENCE),
            connection: None,
            context: Context::new(),
        })
    }

    /// The next message that is the player's business, or how the arena said goodbye.
    pub(crate) fn read(&mut self) -> Result<Result<RefereeMessage, Farewell>, Error> {
        loop {
            if let Some(message) = self.inbox.pop_front() {
                return Ok(Ok(message));
            }
            if let Some(farewell) = self.farewell.take() {
                return Ok(Err(farewell));
            }
            self.step(true)?;
        }
    }

    /// Take what has come in, without waiting; a lost connection is noticed and replaced here too.
    pub(crate) fn look(&mut self) -> Result<(), Error> {
        if self.farewell.is_none() {
            self.step(false)?;
        }
        Ok(())
    }

    /// Whether an answer to this question is still of use.
    pub(crate) fn awaits(&self, question: u64) -> bool {
        self.session.awaits(question)
    }

    /// Whether the last `welcome` began a new session.
    pub(crate) fn renewed(&self) -> bool {
        self.session.renewed()
    }

    /// Say something; an answer that nobody waits for is dropped, and one that is cut off is given later.
    pub(crate) fn say(&mut self, message: &BotMessage) -> Result<(), Error> {
        let frame = self.options.encoding.write(message)?;
        if self.session.answer(message, Instant::now()) {
            self.send(frame)?;
        }
        Ok(())
    }

    /// Say `bye` where somebody listens, and close.
    pub(crate) fn leave(&mut self) -> Result<(), Error> {
        self.say(&BotMessage::Bye(Leave::default()))?;
        self.connection
            .take()
            .map_or(Ok(()), |connection| connection.close(FLUSH))
    }

    // --- one connection after the other ----------------------------------------------------------

    fn step(&mut self, wait: bool) -> Result<(), Error> {
        if self.connection.is_none() {
            let pause = self.dial_at.saturating_duration_since(Instant::now());
            if !pause.is_zero() {
                if !wait {
                    return Ok(());
                }
                std::thread::sleep(pause);
            }
            self.connection = Some(Dealer::connect(&self.context, self.seat)?);
        }
        let timeout = if wait && !self.cut { self.timeout() } else { 0 };
        if let Some(connection) = &self.connection {
            connection.wait(timeout)?;
        }
        self.hear()?;
        while let Some(news) = self.connection.as_ref().map_or(Ok(None), Dealer::news)? {
            self.follow(news)?;
        }
        let now = Instant::now();
        if self.cut || self.session.due().is_some_and(|due| now >= due) {
            self.lose()?;
        }
        if self.tell_at.is_some_and(|at| now >= at) {
            self.tell_at = None;
            if self.told.is_empty() {
                self.tell(format!(
                    "the arena at {} does not answer",
                    self.seat.endpoint
                ));
            }
        }
        Ok(())
    }

    /// ms until something is due, rounded up; -1 when nothing is.
    fn timeout(&self) -> i64 {
        let due = [self.session.due(), self.tell_at];
        due.into_iter().flatten().min().map_or(-1, |at| {
            let left = at.saturating_duration_since(Instant::now());
            i64::try_from(left.as_millis()).map_or(-1, |ms| ms + 1)
        })
    }

    fn follow(&mut self, news: News) -> Result<(), Error> {
        match news {
            News::Made => {
                self.session.greet(Instant::now());
                let hello = Hello {
                    session: self.session.token().map(str::to_owned),
                    ..self.hello.clone()
                };
                let frame = self.options.encoding.write(&BotMessage::Hello(hello))?;
                self.send(frame)
            }
            News::Missed => {
                self.tell(format!("nobody answers at {}", self.seat.endpoint));
                Ok(())
            }
            News::Botched => {
                self.tell(format!(
                    "what answers at {} breaks off the handshake: no arena, or other keys",
                    self.seat.endpoint
                ));
                self.lose()
            }
            News::Refused => {
                self.farewell = Some(Farewell {
                    why: Some("key".into()),
                    text: None,
                });
                self.hang_up(Duration::ZERO);
                Ok(())
            }
            News::Lost => self.lose(),
        }
    }

    /// This connection is of no use any more; what came over it still counts.
    fn lose(&mut self) -> Result<(), Error> {
        if self.hear()? {
            let pause = self.pause();
            self.hang_up(pause);
        }
        Ok(())
    }

    /// Before dialling after a loss: none where the connection was of use.
    fn pause(&mut self) -> Duration {
        if self.session.alive() {
            Duration::ZERO
        } else {
            self.after_loss.take()
        }
    }

    fn hang_up(&mut self, pause: Duration) {
        self.session.lose();
        self.connection = None;
        self.cut = false;
        self.dial_at = Instant::now() + pause;
        self.tell_at.get_or_insert(self.dial_at + PATIENCE);
    }

    fn send(&mut self, frame: Vec<u8>) -> Result<(), Error> {
        let sent = self
            .connection
            .as_ref()
            .map_or(Ok(false), |connection| connection.send(frame))?;
        self.cut = self.cut || !sent;
        Ok(())
    }

    // --- what comes in ---------------------------------------------------------------------------

    /// Take all that has come in; false when that ended the connection.
    fn hear(&mut self) -> Result<bool, Error> {
        while let Some(connection) = &self.connection {
            let Some(frame) = connection.frame()? else {
                return Ok(true);
            };
            self.session.sound(Instant::now());
            match self.options.encoding.read(&frame) {
                Ok(message) => self.judge(message)?,
                Err(MessageError::UnknownVerb(_)) => {} // of a later edition (DBP-12.4)
                Err(_) if frame.is_empty() => {}        // DBP-11.2
                Err(error) => self.complain(&error)?,
            }
        }
        Ok(false)
    }

    fn judge(&mut self, message: RefereeMessage) -> Result<(), Error> {
        match self.session.hear(&message) {
            Verdict::Deliver => {}
            Verdict::Repeat(answer) => {
                let frame = self.options.encoding.write(&answer)?;
                return self.send(frame);
            }
            Verdict::Redial => {
                let pause = self.pause();
                self.hang_up(pause);
                return Ok(());
            }
            Verdict::ComeBack(why) => {
                let pause = self.after_bye.take();
                self.tell(format!(
                    "the arena at {} says bye: {why}",
                    self.seat.endpoint
                ));
                self.hang_up(pause);
                return Ok(());
            }
            Verdict::Farewell(why) => {
                self.farewell = Some(Farewell {
                    why,
                    text: self.complaint.take(),
                });
                self.hang_up(Duration::ZERO);
                return Ok(());
            }
        }
        match &message {
            RefereeMessage::Welcome(welcome) => {
                if !self.met || !self.told.is_empty() {
                    let (endpoint, referee) = (&self.seat.endpoint, &welcome.referee);
                    (self.options.notice)(&format!("welcome at {endpoint}, says {referee}"));
                }
                self.met = true;
                self.told.clear();
                self.tell_at = None;
            }
            RefereeMessage::Error(error) => self.complaint = error.text.clone(),
            RefereeMessage::End(_) => {
                self.complaint = None;
                self.after_loss.reset();
                self.after_bye.reset();
            }
            _ => {
                self.complaint = None;
                self.after_loss.reset();
            }
        }
        self.inbox.push_back(message);
        Ok(())
    }

    /// DBP-5.8: say that a message cannot be used, and carry on.
    fn complain(&mut self, error: &MessageError) -> Result<(), Error> {
        (self.options.notice)(&format!("a message of the arena cannot be used: {error}"));
        self.say(&BotMessage::Error(Complaint {
            id: None,
            code: Some("malformed".into()),
            text: Some(one_line(&error.to_string())),
        }))
    }

    /// Tell people, once until the next `welcome`, why it takes longer.
    fn tell(&mut self, line: String) {
        self.tell_at = None;
        if !self.told.contains(&line) {
            (self.options.notice)(&format!("{line}; dialling again"));
            self.told.insert(line);
        }
    }
}

/// At most 200 characters that every reader accepts.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .take(200)
        .map(|c| if is_control(c) { '?' } else { c })
        .collect()
}
