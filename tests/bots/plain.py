"""The honest loop, in plain Python without any import of the project: a vice derives from it and changes one thing."""

import os
import random
import sys
import time

MARK = sys.argv[1:]
"""What the suite put on the command line to find the process, and its children, again."""


def raw(data):
    """Bytes to stdout, past every buffer."""
    while data:
        data = data[os.write(1, data) :]


def moan(text):
    """A line to stderr."""
    os.write(2, (text + "\n").encode())


class Plain:
    """Plays any legal square by the game's dice. `sin` is called instead of `answer` once, at the bot's second turn as x."""

    hello = "hello donuts=1-1 name=plain"

    def say(self, line):
        raw(line.encode() + b"\n")

    def greet(self):
        self.say(self.hello)

    def ready(self, id):
        self.say(f"ready {id}")

    def answer(self, id, turn):
        self.say(f"move {id} {self.pick(turn)}")

    def sin(self, id, turn):
        self.answer(id, turn)

    def cancel(self, id):
        pass

    def pong(self, id):
        self.say(f"pong {id}")

    def end(self, id, fields):
        pass

    def bye(self):
        sys.exit(0)

    def pick(self, turn):
        return random.Random(f"{self.seed}/{turn['ply']}").choice(turn["legal"].split(","))

    def run(self):
        self.greet()
        for line in sys.stdin:
            verb, *words = line.split()
            fields = dict(word.split("=", 1) for word in words if "=" in word)
            if verb == "game":
                self.seed = fields["seed"]
                self.ready(words[0])
            elif verb == "turn":
                first = fields["you"] == "x" and fields["ply"] == "2"
                (self.sin if first else self.answer)(int(words[0]), fields)
            elif verb == "cancel":
                self.cancel(int(words[0]))
            elif verb == "ping":
                self.pong(words[0])
            elif verb == "end":
                self.end(words[0], fields)
            elif verb == "bye":
                self.bye()


def stay():
    """Never leave by oneself."""
    while True:
        time.sleep(60)


if __name__ == "__main__":
    Plain().run()
