"""Takes more memory than a limit of 256 MiB allows, at its second turn as x."""

from plain import Plain


class Hoards(Plain):
    def sin(self, id, turn):
        self.hoard = bytearray(400 << 20)
        self.answer(id, turn)


Hoards().run()
