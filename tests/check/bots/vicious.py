"""`vicious.py VICE`: runs the honest bot with one vice, a class of players.py, habits.py or spreading.py."""

import sys

import habits
import players
import spreading

name = sys.argv[1]
next(getattr(room, name) for room in (players, habits, spreading) if hasattr(room, name))().run()
