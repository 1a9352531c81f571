"""Reports its search without having asked for leave: `rate`, dropped."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        for depth in range(5):
            self.say(f"info {id} depth={depth} eval=500")
        self.answer(id, turn)


Bot().run()
