"""Is not ready in time: `start`."""

from plain import Plain, stay


class Bot(Plain):
    def ready(self, id):
        stay()


Bot().run()
