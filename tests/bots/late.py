"""Answers when it hears that the time is up: `timeout`. It answers the ping that follows, and is kept."""

from plain import Plain, moan


class Bot(Plain):
    def greet(self):
        moan("greeted once")
        super().greet()

    def sin(self, id, turn):
        self.turn = turn

    def cancel(self, id):
        self.answer(id, self.turn)


Bot().run()
