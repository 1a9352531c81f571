"""Ends while its opponent thinks, who says by a named pipe that it does (thinks.py): `crash`."""

import os

from plain import Plain


class Bot(Plain):
    def greet(self):
        os.mkfifo("thinking")
        super().greet()

    def sin(self, id, turn):
        self.answer(id, turn)
        with open("thinking", "rb") as pipe:
            pipe.read()
        os.unlink("thinking")
        os._exit(5)


Bot().run()
