"""`dialler.py ENDPOINT VICE`: a bot that dials in, with one thing wrong.

routing: a routing id of its own; frames: two frames a message; forgets: hello without session; lost: does not come
back; early, silent: how it takes silence, once it was pinged; returns: comes back when it was sent away; stays: lives
on after bye; empties: empty frames without an end instead of `ready`; dies: ends instead of it.
"""

import sys
import time

import zmq

ENDPOINT, VICE, SILENCE = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 15.0
context = zmq.Context()


class Line:
    """One connection after the other."""

    def __init__(self):
        self.socket = self.monitor = None
        self.session = ""
        self.pinged = False
        self.dial()

    def dial(self):
        if self.socket is not None:
            self.socket.disable_monitor()
            self.monitor.close(0)
            self.socket.close(500)
        self.socket = context.socket(zmq.DEALER)
        if VICE == "routing":
            self.socket.routing_id = b"alice"
        self.socket.linger = 0
        self.monitor = self.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self.socket.connect(ENDPOINT)
        token = f" session={self.session}" if self.session and VICE != "forgets" else ""
        self.say("hello donuts=1-1 name=dialler" + token)

    def say(self, line):
        if VICE == "frames" and line.startswith("ready"):
            self.socket.send_multipart([line.encode(), b"extra"])
        self.socket.send(line.encode())

    def hear(self):
        """The next line; None when the connection is lost, or was silent for too long."""
        poller = zmq.Poller()
        poller.register(self.socket, zmq.POLLIN)
        poller.register(self.monitor, zmq.POLLIN)
        ready = dict(poller.poll((SILENCE if self.pinged else 60) * 1000))
        if self.socket in ready:
            return self.socket.recv().decode()
        if (VICE == "lost" and ready) or (VICE == "silent" and not ready):
            time.sleep(60)
        return None


line = Line()
while True:
    words = (line.hear() or "lost").split(" ")
    fields = dict(word.split("=", 1) for word in words if "=" in word)
    if words[0] == "lost" or (words[0] == "error" and fields.get("code") == "hello"):
        line.dial()
    elif words[0] == "welcome":
        line.session = fields["session"]
    elif words[0] == "game" and VICE == "dies":
        sys.exit("no weights")
    elif words[0] == "game":
        while VICE == "empties":
            line.socket.send(b"")
        line.say(f"ready {words[1]}")
    elif words[0] == "turn":
        line.say(f"move {words[1]} {fields['legal'].split(',')[0]}")
    elif words[0] == "ping":
        line.pinged = True
        line.say(f"pong {words[1]}")
    elif words[0] == "bye":
        if VICE == "stays":
            time.sleep(60)
        if VICE != "returns" or fields["why"] == "done":
            break
        line.session = ""
        line.dial()
