"""Bots in a few lines, for the `bot` fixture."""

ECHO = """
for line in sys.stdin.buffer:
    os.write(1, line)
"""
"""says what it is told"""

SHOUT = """
for line in sys.stdin.buffer:
    size = int(line)
    while size: size -= os.write(2, b'e' * min(size, 65536))
    os.write(1, b'done\\n')
"""
"""writes as many bytes to stderr as it is told"""
