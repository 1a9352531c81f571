"""Complains to the referee about every turn, then answers it. Fine."""

from plain import Plain


class Bot(Plain):
    def answer(self, id, turn):
        self.say(f"error {id} code=mood text=not%20again")
        super().answer(id, turn)


Bot().run()
