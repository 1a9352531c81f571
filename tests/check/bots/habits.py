"""Vices in how a bot lives: its time, its games, its reports and its end, class by class."""

import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

from honest import Honest, stay


class Slow(Honest):
    """Answers when the id of the turn comes out of the pipe WAITED: it was not answered in time.

    Without such a pipe it takes so much longer than it may (s) that no checker wakes up as late as that.
    """

    limits = ()
    over = 4.0

    def turn(self, id, fields):
        if int(fields["limit"]) in self.limits:
            self.wait(id, fields)
        super().turn(id, fields)

    def wait(self, id, fields):
        if "WAITED" not in os.environ:
            time.sleep(int(fields["limit"]) / 1000 + self.over)
            return
        with Path(os.environ["WAITED"]).open() as waited:
            while int(waited.readline()) != id:
                pass


class Slow1000(Slow):
    limits = (1000,)


class Slow200(Slow):
    limits = (200,)


class Slow50(Slow):
    limits = (50,)


class SlowLow(Slow):
    """With a margin that its other answers do not need even on a busy machine."""

    limits = (0,)


class Busy(Honest):
    """Polls."""

    def lines(self):
        while True:
            while b"\n" not in self.kept:
                if select.select([0], [], [], 0)[0]:
                    if not (data := os.read(0, 65536)):
                        return
                    self.kept += data
            line, self.kept = self.kept.split(b"\n", 1)
            yield line.decode()


class OneGame(Honest):
    """Has had enough after a game that was played to its end."""

    def end(self, id, fields):
        if fields["result"] != "void":
            stay()


class LeavesAtEnd(Honest):
    def end(self, id, fields):
        if fields["more"] == "0":
            sys.exit(0)


class AnswersCancel(Honest):
    def cancel(self, id):
        self.say(f"move {id} a1")


class Grows(Honest):
    def __init__(self):
        super().__init__()
        self.heap = []

    def end(self, id, fields):
        if fields["result"] != "void":
            self.heap.append(b"x" * (8 << 20))


class InfoUnasked(Honest):
    def turn(self, id, fields):
        self.say(f"info {id} eval=500")
        super().turn(id, fields)


class Info(Honest):
    """Sends reports that are right."""

    hello = "hello donuts=1-1 name=reports caps=info"
    caps = ""

    def welcome(self, fields):
        self.caps = fields["caps"]

    def turn(self, id, fields):
        if "info" in self.caps:
            self.report(id)
        super().turn(id, fields)

    def report(self, id):
        for depth in range(1, 11):
            self.say(f"info {id} depth={depth} eval=513 nodes=9000 pv=a1,b2")


class InfoOften(Info):
    def report(self, id):
        self.say("\n".join(f"info {id} depth={depth}" for depth in range(1, 31)))


class InfoType(Info):
    def report(self, id):
        self.say(f"info {id} eval=0.53")


class InfoId(Info):
    def report(self, id):
        self.say(f"info {id - 1} eval=530")


class HelloAgain(Honest):
    games = 0

    def game(self, id, fields):
        self.games += 1
        if self.games == 2:
            self.say(self.hello)
        super().game(id, fields)


class TwoSpaces(Honest):
    def say(self, line):
        super().say(line.replace(" ", "  ") if line.startswith("move") else line)


class Capitals(Honest):
    def say(self, line):
        super().say(line.upper() if line.startswith("pong") else line)


class Debug(Honest):
    def turn(self, id, fields):
        self.say(f"thinking about {fields['last']}")
        super().turn(id, fields)


class Stderr(Honest):
    """Cannot do without a stderr."""

    def game(self, id, fields):
        os.write(2, b"a game\n")
        super().game(id, fields)


class Leaves(Honest):
    """Leaves a process behind."""

    def start(self):
        null = subprocess.DEVNULL
        words = [sys.executable, "-c", "import time; time.sleep(60)"]
        subprocess.Popen(words, stdin=null, stdout=null, stderr=null, start_new_session=True)
        super().start()


class Survives(Honest):
    """Lives on when stdin ends."""

    def eof(self):
        stay()


class IgnoresBye(Honest):
    def bye(self, fields):
        if fields["why"] != "version":
            return
        super().bye(fields)


class ClosesStdout(Honest):
    """At bye it closes its stdout and lives on."""

    def bye(self, fields):
        if fields["why"] == "version":
            super().bye(fields)
        os.close(1)
        stay()


class Dies(Honest):
    """Ends before hello."""

    def start(self):
        sys.stderr.write("weights.bin: no such file\n")
        sys.exit(7)


class Threads(Honest):
    """Thinks in the opponent's time."""

    def turn(self, id, fields):
        super().turn(id, fields)
        threading.Thread(target=self.ponder, daemon=True).start()

    def ponder(self):
        while True:
            pass
