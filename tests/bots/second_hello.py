"""Says hello again: `protocol`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        self.greet()
        self.answer(id, turn)


Bot().run()
