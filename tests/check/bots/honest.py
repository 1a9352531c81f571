"""An honest bot in plain Python; the vices of players.py and habits.py derive from it."""

import os
import sys
import time


def raw(data):
    """Bytes to stdout, past every buffer."""
    while data:
        data = data[os.write(1, data) :]


def stay():
    """Never leave by oneself."""
    while True:
        time.sleep(60)


class Honest:
    """Plays the legal square in the middle. Every method is a place for a vice."""

    hello = "hello donuts=1-1 name=honest"

    def __init__(self):
        self.ids = set()
        """turns that were answered"""
        self.kept = b""

    def write(self, line):
        raw(line.encode() + b"\n")

    say = write

    def lines(self):
        while True:
            while b"\n" not in self.kept:
                if not (data := os.read(0, 65536)):
                    return
                self.kept += data
            line, self.kept = self.kept.split(b"\n", 1)
            yield line.decode()

    def start(self):
        self.say(self.hello)

    def welcome(self, fields):
        pass

    def game(self, id, fields):
        self.say(f"ready {id}")

    def turn(self, id, fields):
        self.say(f"move {id} {self.pick(fields)}")

    def pick(self, fields):
        legal = fields["legal"].split(",")
        return legal[len(legal) // 2]

    def cancel(self, id):
        pass

    def ping(self, id):
        self.say(f"pong {id}")

    def end(self, id, fields):
        pass

    def error(self, id):
        pass

    def bye(self, fields):
        sys.exit(0)

    def eof(self):
        pass

    def other(self, line):
        pass

    def hear(self, line):
        verb, *words = line.split(" ")
        fields = dict(word.split("=", 1) for word in words if "=" in word)
        if verb in ("welcome", "bye"):
            getattr(self, verb)(fields)
        elif verb in ("game", "turn", "end"):
            getattr(self, verb)(int(words[0]), fields)
        elif verb in ("ping", "cancel", "error"):
            getattr(self, verb)(words[0])
        else:
            self.other(line)

    def run(self):
        self.start()
        for line in self.lines():
            self.hear(line)
        self.eof()


if __name__ == "__main__":
    Honest().run()
