"""Prints its environment and its open descriptors to stderr, then plays. Fine; nothing of the host may be in it."""

import os

from plain import Plain, moan

for name, value in sorted(os.environ.items()):
    moan(f"env {name}={value}")
moan("fds " + ",".join(sorted(name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}"))))
moan(f"session {os.getsid(0) == os.getpid()} group {os.getpgid(0) == os.getpid()}")
Plain().run()
