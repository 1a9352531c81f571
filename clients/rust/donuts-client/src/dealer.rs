//! One connection to an arena: a DEALER that connects once, and a monitor that tells what becomes of it (DBP-11.1).

use std::sync::atomic::{AtomicU64, Ordering};

use zmq::{Context, PollEvents, Socket, SocketEvent, DONTWAIT};

use crate::error::{Error, SeatError};
use crate::seat::Seat;

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// The handshake is done: words can be sent.
    Made,
    /// Nobody is there; ZeroMQ tries again by itself.
    Missed,
    /// The handshake failed: no arena, or the wrong keys, or keys at one end only.
    Botched,
    /// The arena does not let this key in.
    Refused,
    /// The connection is gone.
    Lost,
}

const EVENTS: [(SocketEvent, News); 6] = [
    (SocketEvent::HANDSHAKE_SUCCEEDED, News::Made),
    (SocketEvent::CONNECT_RETRIED, News::Missed),
    (SocketEvent::HANDSHAKE_FAILED_NO_DETAIL, News::Botched),
    (SocketEvent::HANDSHAKE_FAILED_PROTOCOL, News::Botched),
    (SocketEvent::HANDSHAKE_FAILED_AUTH, News::Botched),
    (SocketEvent::DISCONNECTED, News::Lost),
];

/// Status of an arena that does not let a key in (ZeroMQ RFC 27).
const REFUSED: u32 = 400;

/// A socket that has begun to connect. Only `wait` waits.
pub(crate) struct Dealer {
    monitor: Socket,
    socket: Socket,
    /// Name of a monitor that nobody listens to, see `drop`.
    silence: String,
}

impl Dealer {
    pub(crate) fn connect(context: &Context, seat: &Seat) -> Result<Self, Error> {
        static MONITORS: AtomicU64 = AtomicU64::new(0);

        let socket = context.socket(zmq::DEALER)?;
        socket.set_heartbeat_ivl(1000)?;
        socket.set_heartbeat_timeout(3000)?;
        socket.set_handshake_ivl(5000)?;
        socket.set_reconnect_ivl(100)?;
        socket.set_reconnect_ivl_max(2000)?;
        socket.set_maxmsgsize(65_536)?;
        socket.set_linger(0)?;
        if seat.endpoint.contains('[') {
            socket.set_ipv6(true)?;
        }
        if let Some(keys) = &seat.keys {
            socket.set_curve_serverkey(&key(&keys.server)?)?;
            socket.set_curve_publickey(&key(&keys.public)?)?;
            socket.set_curve_secretkey(&key(&keys.secret)?)?;
        }
        let name = format!(
            "inproc://donuts-monitor-{}",
            MONITORS.fetch_add(1, Ordering::Relaxed)
        );
        let events = EVENTS
            .iter()
            .fold(0, |all, (event, _)| all | i32::from(event.to_raw()));
        socket.monitor(&name, events)?;
        let monitor = context.socket(zmq::PAIR)?;
        monitor.set_linger(0)?;
        monitor.set_rcvhwm(0)?; // ZeroMQ stands still where news cannot be delivered
        monitor.connect(&name)?;
        let dealer = Dealer {
            monitor,
            socket,
            silence: format!("{name}-silence"),
        };
        dealer.socket.connect(&seat.endpoint)?;
        Ok(dealer)
    }

    /// Until there are frames or news, at most `timeout` ms (-1: for ever).
    pub(crate) fn wait(&self, timeout: i64) -> Result<(), Error> {
        let mut items = [
            self.socket.as_poll_item(PollEvents::POLLIN),
            self.monitor.as_poll_item(PollEvents::POLLIN),
        ];
        match zmq::poll(&mut items, timeout) {
            Ok(_) | Err(zmq::Error::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The next message that has come in; one of several frames is none (DBP-11.2).
    pub(crate) fn frame(&self) -> Result<Option<Vec<u8>>, Error> {
        while let Some(mut parts) = received(&self.socket)? {
            if let (Some(frame), true) = (parts.pop(), parts.is_empty()) {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// What has become of the connection since, one after the other.
    pub(crate) fn news(&self) -> Result<Option<News>, Error> {
        while let Some(parts) = received(&self.monitor)? {
            let Some([e0, e1, v0, v1, v2, v3]) =
                parts.first().and_then(|p| p.as_slice().first_chunk())
            else {
                continue;
            };
            let raw = u16::from_ne_bytes([*e0, *e1]);
            let value = u32::from_ne_bytes([*v0, *v1, *v2, *v3]);
            if raw == SocketEvent::HANDSHAKE_FAILED_AUTH.to_raw() && value == REFUSED {
                return Ok(Some(News::Refused));
            }
            if let Some((_, news)) = EVENTS.iter().find(|(event, _)| event.to_raw() == raw) {
                return Ok(Some(*news));
            }
        }
        Ok(None)
    }

    /// Hand a frame to ZeroMQ; false where there is no connection, or one that takes no more.
    pub(crate) fn send(&self, frame: Vec<u8>) -> Result<bool, Error> {
        match self.socket.send(frame, DONTWAIT) {
            Ok(()) => Ok(true),
            Err(zmq::Error::EAGAIN | zmq::Error::EHOSTUNREACH | zmq::Error::EINTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Close, giving what was sent `linger` ms to leave.
    pub(crate) fn close(self, linger: i32) -> Result<(), Error> {
        Ok(self.socket.set_linger(linger)?)
    }
}

impl Drop for Dealer {
    /// A socket that is being closed still has news, and ZeroMQ's thread waits for ever to deliver them where the monitor
    /// is gone. So it is first given another monitor, of no events, which takes the place of the old one.
    fn drop(&mut self) {
        let _ = self.socket.monitor(&self.silence, 0);
    }
}

fn received(socket: &Socket) -> Result<Option<Vec<Vec<u8>>>, Error> {
    match socket.recv_multipart(DONTWAIT) {
        Ok(parts) => Ok(Some(parts)),
        Err(zmq::Error::EAGAIN | zmq::Error::EINTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn key(z85: &str) -> Result<Vec<u8>, Error> {
    zmq::z85_decode(z85)
        .ok()
        .filter(|key| key.len() == 32)
        .ok_or_else(|| {
            SeatError::Unusable("a key of the seat is not 40 characters in Z85".into()).into()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    /// Peers that hang up just while the socket is closed: without `drop` ZeroMQ's thread soon waits for ever.
    #[test]
    fn closing_does_not_stop_zeromq() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let seat = Seat::at(format!("tcp://{}", listener.local_addr().unwrap()));
        let context = Context::new();
        for round in 0..500 {
            let dealer = Dealer::connect(&context, &seat).unwrap();
            let late = Instant::now() + Duration::from_secs(10);
            while listener.accept().is_err() {
                if Instant::now() > late {
                    std::mem::forget((dealer, context)); // closing them would wait for ever, too
                    panic!("ZeroMQ no longer connects in round {round}");
                }
                std::thread::yield_now();
            }
        }
    }
}
