"""Answers one turn twice: the second is `late`, dropped."""

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        line = f"move {id} {self.pick(turn)}\n".encode()
        raw(line + line)


Bot().run()
