"""What follows a verdict: `end` to the bots that were told of the game, and the finished game for the records."""

from donuts_engine.outcome import groups
from donuts_engine.squares import NAMES
from donuts_protocol.messages import End
from donuts_referee.table.adjudication import Adjudication
from donuts_referee.table.finished import Conditions, FinishedGame
from donuts_referee.table.game import Game


def tell(game: Game) -> None:
    """Send `end` to every bot that was sent `game` and can still be told."""
    verdict = game.verdict
    assert verdict is not None
    names = NAMES[game.setting.board.size]
    moves = tuple([names[square] for square in game.moves])
    for side, player in game.players.items():
        if not (player.playing and player.alive):
            continue
        player.playing = False
        if verdict.void:
            result = "void"
        elif verdict.winner == "-":
            result = "draw"
        else:
            result = "win" if verdict.winner == side else "loss"
        player.send(
            End(
                id=player.game_id,
                result=result,  # type: ignore[arg-type]
                winner=None if verdict.winner == "-" else verdict.winner,  # type: ignore[arg-type]
                why=verdict.why,
                text=verdict.text[:200],
                ply=game.position.ply,
                cells=game.position.cells,
                five=game.five or None,
                moves=moves,
                more=1 if game.more or player.remains else 0,
            )
        )


def finished(game: Game) -> FinishedGame:
    """The game as records keep it; it must have a verdict."""
    verdict, setting, control = game.verdict, game.setting, game.rules.control
    assert verdict is not None
    names = NAMES[setting.board.size]
    asked = game.rules.adjudication
    return FinishedGame(
        number=game.number,
        started=game.started,
        seconds=(game.now() - game.began) / 1e9,
        size=setting.board.size,
        layout=setting.board.layout,
        board=setting.number,
        rings=setting.rings,
        seed=setting.seed,
        opening=tuple(names[square] for square in setting.opening),
        conditions=Conditions(
            main=control.main,
            inc=control.inc,
            movemax=control.movemax,
            margin=control.margin,
            prep=control.prep,
            adjudication=None if asked == Adjudication() else asked,
        ),
        x=game.players["x"].as_side(),
        o=game.players["o"].as_side(),
        moves=tuple([names[square] for square in game.moves]),
        turns=tuple(game.turns),
        cells=game.position.cells,
        five=game.five,
        groups=groups(game.position),
        verdict=verdict,
    )
