"""Prints a line of bytes that are no UTF-8, one of terminal escapes and one that turns the text around. Noise."""

from plain import Plain, raw


class Bot(Plain):
    def sin(self, id, turn):
        raw(b"\x80\xff\xfe\xc3(\n\x1b[2J\x1b]0;owned\x07\x9b31m\n" + "\u202egnp.exe \u2028\n".encode())
        self.answer(id, turn)


Bot().run()
