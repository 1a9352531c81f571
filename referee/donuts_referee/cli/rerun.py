"""`donuts rerun`: plays a kept game again and shows where it differs."""

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.bots_file import NAME
from donuts_referee.channels.drive import Brake, drive
from donuts_referee.channels.program import Program
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault
from donuts_referee.cli.interrupt import interruptible
from donuts_referee.cli.opened import add_game_arguments, headline, opened, plain
from donuts_referee.cli.play import channel, look_up
from donuts_referee.records.verify import replay
from donuts_referee.roster import RosterFault, team
from donuts_referee.table.entrant import Entrant

if TYPE_CHECKING:
    from donuts_referee.channels.choose import Channel
    from donuts_referee.cli.parser import Subparsers
    from donuts_referee.competition.rerun import Rerun
    from donuts_referee.records.record import Record
    from donuts_referee.table.finished import Side, TakenTurn, Verdict

__all__ = ["add_parser", "run"]

EPILOG = """\
The bots are started by the command lines that stand in the record, in the current directory and without the variables
of a bots.toml. A bot that played from a folder with a bot.toml is started by that, in its folder, where a folder of its
name is here or below teams/. --x and --o name others, in the words of `donuts play`: a program, or such a folder. A bot
whose play hangs on time or on chance may well play otherwise each time.

exit codes: 0 the same moves and the same verdict (--moves: the record holds), 1 it differs, 2 usage, 3 a bot would not
start
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "rerun",
        help="play a game of a record again and show where it differs",
        description="Plays a game again from its record: same board, opening, seed and clocks. Shows the first ply "
        "that differs,\nboth moves with what the bots said of them, and the verdict then and now.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_arguments(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--bots", action="store_true", help="start the bots anew (the default)")
    what.add_argument(
        "--moves", action="store_true", help="start nothing; play the kept moves over by the rules"
    )
    parser.add_argument(
        "--x",
        metavar="BOT",
        help="who plays x instead of the program in the record: a program, or a folder with a bot.toml",
    )
    parser.add_argument("--o", metavar="BOT", help="who plays o instead")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play and compare; UsageFault when the game or a bot cannot be had."""
    found = opened(args)
    record = found.record
    if record is None:
        raise UsageFault(
            f"{plain(args.file)} is a PGN file, which does not say how its bots are started; name a journal"
        )
    played = replay(found.sheet, record)
    if args.moves:
        return _moves(args, found.place, record)
    if played.start is None or len(played.steps) < len(record.opening):
        raise UsageFault(plain(f"{found.place}: {'; '.join(played.faults)}"))
    programs = _program(record.x, "x", args.x), _program(record.o, "o", args.o)
    if not args.json:
        print("\n".join(headline(found)), flush=True)
        for side, program, word in zip((record.x, record.o), programs, (args.x, args.o), strict=True):
            if word is None and side.digest is not None and program.digest() != side.digest:
                sys.stderr.write(
                    f"donuts: the program of {plain(side.bot)} is not the one that played: its sha256 differs\n"
                )
    rerun = _play(record, programs)
    if args.json:
        print(json.dumps(_facts(rerun)))
    else:
        print("\n".join(plain(line) for line in _words(rerun)))
    if rerun.now.verdict.why in ("start", "version") and rerun.then.verdict.why not in ("start", "version"):
        return ExitCode.START
    return ExitCode.OK if rerun.same else ExitCode.FAULTED


def _moves(args: argparse.Namespace, place: str, record: "Record") -> int:
    from donuts_referee.competition.audit.judging import judge

    fault = judge(record)
    if args.json:
        print(json.dumps({"id": record.id, "place": place, "holds": fault is None, "fault": fault}))
    elif fault is None:
        print(
            plain(
                f"game {record.id}: {len(record.moves)} moves played over come out the same; {record.verdict.text}"
            )
        )
    else:
        print(plain(f"{place}: {fault}"))
    return ExitCode.OK if fault is None else ExitCode.FAULTED


def _program(side: "Side", letter: str, word: str | None) -> Program:
    if word is not None:
        program = look_up(word).program
        if program is None:
            raise UsageFault(f"--{letter} {plain(word)}: rerun starts programs; name one")
        return program
    program = Program(argv=side.argv)
    missing = _missing(side, program)
    own = _team(side.bot, missing is not None)
    if own is not None and (missing is not None or own.argv == side.argv):
        program, missing = own, _missing(side, own)
    remedy = f"name a program with --{letter}, or a folder with a bot.toml"
    if not program.argv:
        raise UsageFault(f"the record does not say how {plain(side.bot)} was started; {remedy}")
    if missing is not None:
        raise UsageFault(f"{plain(side.bot)} cannot be started: {plain(missing)}; {remedy}")
    return program


def _missing(side: "Side", program: Program) -> str | None:
    """What of the program is not here; None where all of it is, as far as can be told."""
    if program.path() is None:
        return f"there is no {program.argv[0]} here" if program.argv else "no command"
    if side.digest is None or program.file() is not None:
        return None
    # the file that played was one that an interpreter was given
    script = next((word for word in program.argv[1:] if word[:1] != "-"), program.argv[0])
    return f"there is no file {script} here"


def _team(bot: str, needed: bool) -> Program | None:
    """The program of the team's folder that has the name of the bot, here or below teams/; None: there is none.

    UsageFault where its bot.toml cannot be used, and the bot is `needed`.
    """
    name = bot.removesuffix("#2")  # see `roster.unique`
    if not NAME.fullmatch(name):
        return None
    for folder in (Path(name), Path("teams") / name):
        try:
            found = team(folder)
        except RosterFault as fault:
            if needed:
                raise UsageFault(str(fault)) from None
            continue
        if found is not None and found.name == name:
            return found.program
    return None


def _play(record: "Record", programs: tuple[Program, Program]) -> "Rerun":
    from donuts_referee.competition.rerun import play_again

    brake = Brake()
    with closing(channel()) as links, interruptible(brake) as interruption:
        x, o = (
            _entrant(side, program, links)
            for side, program in zip((record.x, record.o), programs, strict=True)
        )
        try:
            rerun = drive(play_again(record, x, o, links.now), links, brake)
        except KeyboardInterrupt:
            if interruption.number in (None, 2):
                raise
            raise Terminated(interruption.number) from None
    if interruption.number is not None:
        raise KeyboardInterrupt if interruption.number == 2 else Terminated(interruption.number)
    return rerun


def _entrant(side: "Side", program: Program, links: "Channel") -> Entrant:
    return Entrant(
        bot=side.bot,
        open=lambda: links.spawn(program),
        argv=program.argv,
        digest=program.digest(),
        again=False,
    )


def _words(rerun: "Rerun") -> list[str]:
    then, now = rerun.then, rerun.now
    difference = rerun.difference
    if difference is None:
        lines = [f"the same {len(now.moves)} moves"]
    else:
        bot = then.x.bot if difference.side == "x" else then.o.bot
        lines = [
            f"differs at ply {difference.ply}, {bot} ({difference.side}) on turn:",
            f"  then: {_turn_words(difference.then)}",
            f"  now:  {_turn_words(difference.now)}",
        ]
    lines.append(f"verdict then: {_verdict_words(then.verdict)}")
    lines.append(f"verdict now:  {_verdict_words(now.verdict)}")
    return lines


def _turn_words(turn: "TakenTurn | None") -> str:
    if turn is None:
        return "no turn, the game was over"
    said = "" if turn.eval is None else f", eval {turn.eval}"
    raw = f" ({turn.raw[:80]})" if turn.sq is None and turn.raw else ""
    return f"{turn.sq or 'no move'}{said}, {turn.used / 1e6:.1f} ms{raw}"


def _verdict_words(verdict: "Verdict") -> str:
    result = "void" if verdict.void else "draw" if verdict.winner == "-" else f"{verdict.winner} wins"
    return f"{result}; {verdict.text}"


def _facts(rerun: "Rerun") -> dict[str, object]:
    difference = rerun.difference
    return {
        "id": rerun.then.id,
        "same": rerun.same,
        "ply": None if difference is None else difference.ply,
        "side": None if difference is None else difference.side,
        "then": {
            "turn": None if difference is None else _turn_facts(difference.then),
            "moves": list(rerun.then.moves),
            "verdict": _verdict_facts(rerun.then.verdict),
        },
        "now": {
            "turn": None if difference is None else _turn_facts(difference.now),
            "moves": list(rerun.now.moves),
            "verdict": _verdict_facts(rerun.now.verdict),
        },
    }


def _turn_facts(turn: "TakenTurn | None") -> dict[str, object] | None:
    if turn is None:
        return None
    return {"sq": turn.sq, "eval": turn.eval, "used_ns": turn.used, "raw": turn.raw}


def _verdict_facts(verdict: "Verdict") -> dict[str, object]:
    return {
        "winner": verdict.winner,
        "why": verdict.why,
        "text": verdict.text,
        "fault": verdict.fault,
        "void": verdict.void,
    }
