"""`vicious.py VICE`: runs the honest bot with one vice, a class of players.py or habits.py."""

import sys

import habits
import players

name = sys.argv[1]
(getattr(players, name, None) or getattr(habits, name))().run()
