"""Says `pong` with the id of the turn, then answers it: `state`, dropped."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.pong(id)
        self.answer(id, turn)


Bot().run()
