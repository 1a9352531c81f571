//! What a bot that dials in has to remember over one connection after the other (DBP-11.8 to DBP-11.11). No socket here.

use std::time::{Duration, Instant};

use crate::message::{BotMessage, RefereeMessage};

/// Silence after which a bot that owes no answer dials again (DBP-11.8).
pub(crate) const SILENCE: Duration = Duration::from_secs(15);

/// Words of a `bye` after which a bot may dial in again by itself (DBP-11.14).
///
/// Of the codes of section 9 those that an arena says; after `version` nothing would be better the second time.
const AGAIN: [&str; 11] = [
    "drain",
    "busy",
    "start",
    "timeout",
    "unread",
    "crash",
    "disconnect",
    "protocol",
    "flood",
    "abort",
    "referee",
];

/// What is to be done with a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is the player's business.
    Deliver,
    /// It is a turn that was answered already: say this again.
    Repeat(BotMessage),
    /// The arena does not know this connection: dial again.
    Redial,
    /// The arena sends the bot away for now: dial again after a pause.
    ComeBack(String),
    /// The arena sends the bot away for good, or has no more games.
    Farewell(Option<String>),
}

/// The session of a bot and the question it was asked.
#[derive(Debug)]
pub(crate) struct Session {
    token: Option<String>,
    /// The last `welcome` began a new session, so that what was open before it is gone.
    renewed: bool,
    /// `hello` was said on this connection, at `heard` or before.
    greeted: bool,
    /// Something was asked on this connection, so that dialling anew at once cannot go round in circles.
    alive: bool,
    heard: Instant,
    open: Option<u64>,
    /// The question that was open when the connection was lost, until the arena says what became of it.
    suspended: Option<u64>,
    /// The last turn that was answered, and the answer.
    answered: Option<(u64, BotMessage)>,
}

impl Session {
    pub(crate) fn new(now: Instant) -> Self {
        Session {
            token: None,
            renewed: false,
            greeted: false,
            alive: false,
            heard: now,
            open: None,
            suspended: None,
            answered: None,
        }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub(crate) fn renewed(&self) -> bool {
        self.renewed
    }

    pub(crate) fn alive(&self) -> bool {
        self.alive
    }

    /// `hello` is said on a fresh connection.
    pub(crate) fn greet(&mut self, now: Instant) {
        self.greeted = true;
        self.alive = false;
        self.heard = now;
    }

    /// The connection is gone.
    pub(crate) fn lose(&mut self) {
        self.suspended = self.open.take().or(self.suspended);
        self.greeted = false;
        self.alive = false;
    }

    /// When this connection becomes stale if nothing comes; `None`: not while an answer is owed.
    pub(crate) fn due(&self) -> Option<Instant> {
        (self.greeted && self.open.is_none()).then(|| self.heard + SILENCE)
    }

    /// Whether somebody waits for the answer to this question, or did when the connection was lost.
    pub(crate) fn awaits(&self, question: u64) -> bool {
        self.open == Some(question) || self.suspended == Some(question)
    }

    /// Something came in, whatever it was.
    pub(crate) fn sound(&mut self, now: Instant) {
        self.heard = now;
    }

    pub(crate) fn hear(&mut self, message: &RefereeMessage) -> Verdict {
        match message {
            RefereeMessage::Welcome(welcome) => {
                self.renewed = self.token.as_ref() != Some(&welcome.session);
                if self.renewed {
                    self.token = Some(welcome.session.clone());
                    self.suspended = None;
                    self.answered = None;
                }
                return Verdict::Deliver;
            }
            RefereeMessage::Error(error) if error.code.as_deref() == Some("hello") => {
                return Verdict::Redial;
            }
            RefereeMessage::Error(_) => return Verdict::Deliver,
            RefereeMessage::Bye(bye) => {
                return match &bye.why {
                    Some(why) if AGAIN.contains(&why.as_str()) => Verdict::ComeBack(why.clone()),
                    why => Verdict::Farewell(why.clone()),
                };
            }
            RefereeMessage::Turn(turn) => {
                if let Some((_, answer)) = self.answered.as_ref().filter(|(id, _)| *id == turn.id) {
                    let answer = answer.clone();
                    self.alive = true;
                    self.suspended = None;
                    return Verdict::Repeat(answer);
                }
                self.open = Some(turn.id);
            }
            RefereeMessage::Game(game) => self.open = Some(game.id),
            RefereeMessage::Ping(ping) => self.open = Some(ping.id),
            RefereeMessage::Cancel(cancel) => {
                self.open = self.open.filter(|open| *open != cancel.id);
            }
            RefereeMessage::End(_) => self.open = None,
        }
        self.alive = true;
        self.suspended = None;
        Verdict::Deliver
    }

    /// Take an answer; true when it is to be sent now. The answer to a turn is kept, the more so while nobody listens.
    pub(crate) fn answer(&mut self, message: &BotMessage, now: Instant) -> bool {
        let (id, keep) = match message {
            BotMessage::Move(answer) => (answer.id, true),
            BotMessage::Resign(answer) => (answer.id, true),
            BotMessage::Ready(answer) | BotMessage::Pong(answer) => (answer.id, false),
            _ => return self.greeted,
        };
        let send = self.open == Some(id);
        if keep && self.awaits(id) {
            self.answered = Some((id, message.clone()));
        }
        if send {
            self.open = None;
            self.heard = now; // an arena need not speak while a bot thinks
        }
        send
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn heard(session: &mut Session, line: &str) -> Verdict {
        session.hear(&text::read(line.as_bytes()).unwrap())
    }

    fn turn(id: u64, resend: bool) -> String {
        let layout = "H".repeat(36);
        let cells = ".".repeat(36);
        let again = if resend { " resend=1" } else { "" };
        format!(
            "turn {id} game=1 ply=0 you=x size=6 rings=15 layout={layout} cells={cells} last=- legal=a1,b1 \
             clock=1 oclock=1 inc=0 limit=1 margin=0 spent=0{again}"
        )
    }

    fn placed(id: u64) -> BotMessage {
        BotMessage::Move(crate::message::Move {
            id,
            eval: None,
            proof: None,
            nodes: None,
            depth: None,
            pv: None,
            text: None,
            sq: "a1".parse().unwrap(),
        })
    }

    const WELCOME: &str = "welcome donuts=1-1 session=s caps= maxline=4096 ref=r";

    fn welcomed(now: Instant) -> Session {
        let mut session = Session::new(now);
        session.greet(now);
        assert_eq!(heard(&mut session, WELCOME), Verdict::Deliver);
        session
    }

    #[test]
    fn an_answer_is_given_again_to_the_turn_that_is_sent_again() {
        let now = Instant::now();
        let mut session = welcomed(now);
        assert_eq!(heard(&mut session, &turn(2, false)), Verdict::Deliver);
        assert!(session.answer(&placed(2), now));
        session.lose();
        session.greet(now);
        heard(&mut session, WELCOME);
        assert_eq!(
            heard(&mut session, &turn(2, true)),
            Verdict::Repeat(placed(2))
        );
    }

    #[test]
    fn an_answer_found_while_the_arena_was_away_is_kept() {
        let now = Instant::now();
        let mut session = welcomed(now);
        heard(&mut session, &turn(2, false));
        session.lose();
        assert!(session.awaits(2));
        assert!(!session.answer(&placed(2), now), "nobody listens");
        session.greet(now);
        heard(&mut session, WELCOME);
        assert_eq!(
            heard(&mut session, &turn(2, true)),
            Verdict::Repeat(placed(2))
        );
    }

    #[test]
    fn a_new_session_forgets_what_was_open() {
        let now = Instant::now();
        let mut session = welcomed(now);
        heard(&mut session, &turn(2, false));
        session.lose();
        session.greet(now);
        heard(&mut session, &WELCOME.replace("session=s", "session=t"));
        assert!(session.renewed());
        assert!(!session.awaits(2));
        assert!(!session.answer(&placed(2), now));
        assert_eq!(heard(&mut session, &turn(2, false)), Verdict::Deliver);
    }

    #[test]
    fn what_was_cancelled_is_not_answered() {
        let now = Instant::now();
        let mut session = welcomed(now);
        heard(&mut session, &turn(2, false));
        heard(&mut session, "cancel 2 why=timeout");
        assert!(!session.answer(&placed(2), now));
    }

    #[test]
    fn silence_counts_while_no_answer_is_owed() {
        let now = Instant::now();
        let mut session = welcomed(now);
        assert_eq!(session.due(), Some(now + SILENCE));
        heard(&mut session, &turn(2, false));
        assert_eq!(session.due(), None);
        let later = now + Duration::from_secs(100);
        session.answer(&placed(2), later);
        assert_eq!(session.due(), Some(later + SILENCE));
        session.lose();
        assert_eq!(session.due(), None);
    }

    #[test]
    fn a_bye_tells_whether_to_come_back() {
        let mut session = welcomed(Instant::now());
        for why in ["drain", "busy", "flood", "disconnect"] {
            let verdict = heard(&mut session, &format!("bye why={why}"));
            assert_eq!(verdict, Verdict::ComeBack(why.into()));
        }
        for why in [
            "done", "seat", "replaced", "kicked", "benched", "version", "later",
        ] {
            let verdict = heard(&mut session, &format!("bye why={why}"));
            assert_eq!(verdict, Verdict::Farewell(Some(why.into())));
        }
        assert_eq!(heard(&mut session, "error - code=hello"), Verdict::Redial);
    }
}
