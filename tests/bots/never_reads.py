"""Says hello and never reads: the first game gets no `ready`, which is `start`."""

from plain import Plain, stay

Plain().greet()
stay()
