"""Dice that fall alike when a game is replayed: thrown from the game's seed and the position, from nothing else."""

from random import Random

from donuts_protocol.messages import Game


def dice(bot: str, game: Game | None, ply: int, own: int | None) -> Random:
    """The dice of `bot` for one turn; `own` is the bot's own seed, where it was given one.

    The same turn of the same game gets the same dice, so a turn that is sent again is answered alike (DBP-8).
    """
    seed = game.seed if game is not None else 0
    return Random(f"{bot}/{seed}/{ply}/{own}")
