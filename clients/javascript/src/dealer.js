/** One connection to an arena: a DEALER that connects once, and its monitor (DBP-11.1). Only this file knows zeromq. */
import { Dealer as Socket } from "zeromq";
import { ConfigError } from "./seat.js";

const OPTIONS = {
  // not `immediate`: with it a lost connection takes along what came over it and was not read yet, a last bye too
  sendTimeout: 0,
  heartbeatInterval: 1000,
  heartbeatTimeout: 3000,
  handshakeInterval: 5000,
  reconnectInterval: 100,
  reconnectMaxInterval: 2000,
  maxMessageSize: 65536,
  linger: 0,
};

/** The status of an arena that does not let a key in (ZeroMQ RFC 27). */
const REFUSED = 400;

/** Two rounds of the event loop: what has come in by now has been handed over then. */
export async function settled() {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}

export class Dealer {
  #socket;
  #closed = false;

  /**
   * Begins to connect. `ear.frame(bytes)` is called with each message, and `ear.news(word)` with what becomes of the
   * connection: "made" (words can be sent), "missed" (nobody is there; it is tried again without our doing), "botched"
   * (the handshake failed), "refused" (the arena does not let this key in), "lost". Neither is called after `close`.
   *
   * Throws a ConfigError where the endpoint or the keys are none.
   */
  constructor(seat, ear) {
    const keys = seat.serverKey && {
      curveServerKey: seat.serverKey,
      curvePublicKey: seat.publicKey,
      curveSecretKey: seat.secretKey,
    };
    try {
      this.#socket = new Socket({ ...OPTIONS, ipv6: seat.endpoint.includes("["), ...keys });
      this.#watch(ear);
      this.#socket.connect(seat.endpoint);
    } catch (fault) {
      this.close();
      throw new ConfigError(`${seat.endpoint} cannot be dialled: ${fault.message}`, { cause: fault });
    }
    this.#listen(ear);
  }

  #watch(ear) {
    const tell = (word) => this.#closed || ear.news(word);
    this.#socket.events
      .on("handshake", () => tell("made"))
      .on("connect:retry", () => tell("missed"))
      .on("handshake:error:other", () => tell("botched"))
      .on("handshake:error:protocol", () => tell("botched"))
      .on("handshake:error:auth", ({ error }) => tell(error.status === REFUSED ? "refused" : "botched"))
      .on("disconnect", async () => {
        await settled(); // what came before it still counts
        tell("lost");
      });
  }

  async #listen(ear) {
    while (!this.#closed) {
      let parts;
      try {
        parts = await this.#socket.receive();
      } catch (fault) {
        if (this.#closed) return;
        throw fault;
      }
      if (!this.#closed && parts.length === 1) ear.frame(parts[0]); // of several frames it is none (DBP-11.2)
    }
  }

  /** Hands a frame to ZeroMQ; the promise is rejected where it takes no more. */
  send(frame) {
    return this.#socket.send(frame);
  }

  /** Closes the connection; what was sent has `linger` ms to leave, also after the process has no more to do. */
  close(linger = 0) {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#socket) return;
    this.#socket.linger = linger;
    this.#socket.close();
  }
}
