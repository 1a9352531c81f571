"""Answers once more, having closed its stdin, and lives on: `unread`, for it can be sent nothing (DBP-10.10)."""

import os

from plain import Plain, stay


class Bot(Plain):
    def sin(self, id, turn):
        os.close(0)
        self.answer(id, turn)
        stay()


Bot().run()
