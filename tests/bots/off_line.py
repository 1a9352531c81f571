"""Answers with an empty square that is not on the line: `illegal`."""

from plain import Plain


class Bot(Plain):
    def sin(self, id, turn):
        squares = [column + row for row in "123456" for column in "abcdef"]
        empty = [name for name, ring in zip(squares, turn["cells"]) if ring == "."]
        self.say(f"move {id} " + next(name for name in empty if name not in turn["legal"].split(",")))


Bot().run()
