"""Reads `bot.toml`, in which a team says how its bot is built and run, and reports all of its faults at once.

    name = "alpha"                # default: the name of the folder
    version = "1.2"
    build = "make -j2"            # a command line, or a list of them: ["make", ["cp", "a b", "c"]]; none by default
    run = "./alpha --fast"        # a command line, or a list of words: ["./alpha", "--fast"]
    cwd = "bin"                   # where it runs, a folder of the team's; default: the folder of bot.toml
    env = { THREADS = "1" }       # added to the few variables that a bot is given

    [limits]                      # none by default
    memory = 1024                 # MiB of address space of each process
    processes = 64                # processes and threads of the user that runs it
    files = 64                    # open files of each process
    file_size = 100               # MiB of the longest file that it writes

No shell runs any of these commands. A first word that ends in `.py` runs with the arena's Python and one that ends in
`.jar` with `java -jar`; a relative path of a program is taken from `cwd`, in a build from the folder.
"""

from functools import cached_property
from glob import glob
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_referee.bots_file import NAME
from donuts_referee.channels.limits import Limits
from donuts_referee.channels.program import Program
from donuts_referee.commands import runnable, variables, words_of
from donuts_referee.files import FileFault, read_document
from donuts_referee.settings import At, Findings, Section, SettingsFault
from donuts_referee.teams.bot import Bot
from donuts_referee.toml_lines import Lines

__all__ = [
    "FILE",
    "LIMITS",
    "NAME_RULE",
    "Located",
    "TeamFault",
    "command",
    "place",
    "program",
    "read_bot",
    "team_folders",
]

FILE = "bot.toml"

NAME_RULE = "a name is 1 to 40 letters, digits, _ . + or -, a letter or digit first"

LIMITS = {"memory": 1 << 24, "processes": 1 << 22, "files": 1 << 20, "file_size": 1 << 24}
"""The keys of [limits], each with the most that it may say."""

KEYS = ("name", "version", "build", "run", "cwd", "env", "limits")

MOST = 64 << 10
"""Bytes of the longest bot.toml."""


class TeamFault(SettingsFault):
    """A bot.toml that cannot be used: each fault with its file, line and key."""


class Located:
    """Where the keys of a text stand; it is walked through only when there is a fault to be placed."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)

    def line(self, at: At) -> int:
        """See `Lines.line`."""
        return self._lines.line(at)


def team_folders(pattern: str, base: Path) -> tuple[Path, ...]:
    """The folders that a pattern such as `teams/*` names, seen from `base`, by name; hidden ones are left out."""
    found = (base / name for name in glob(pattern, root_dir=base))  # noqa: PTH207  (this one leaves out what is hidden)
    return tuple(sorted(path for path in found if path.is_dir()))


def read_bot(folder: Path) -> Bot:
    """The bot of a team's folder, which need not be built yet. TeamFault names every fault at once."""
    path = folder / FILE
    try:
        if path.is_symlink():
            raise FileFault(f"{shown(str(path))}: is a link; put the file itself there")
        document = read_document(path, most=MOST)
    except FileFault as fault:
        raise TeamFault(str(fault)) from None
    findings = Findings(path, Located(document.text).line)
    section = Section(findings, folder.absolute(), document.table, KEYS)
    bot = _bot(section)
    if findings or bot is None:
        raise TeamFault(*findings.listed())
    return bot


def _bot(section: Section) -> Bot | None:
    folder = section.folder
    name = folder.name
    if section.has("name"):
        name = section.text("name") or name
    if not NAME.fullmatch(name):
        where = "" if section.has("name") else ", and the folder's is none: say name = ..."
        section.fault("name", f"'{shown(name, 60)}': {NAME_RULE}{where}")
    cwd = place(section)
    if not cwd.resolve().is_relative_to(folder.resolve()):
        section.fault("cwd", "leads out of the folder; name one inside of it")
    words = command(section, "run")
    made = program(section, () if words is None else runnable(words, cwd), cwd)
    build = _build(section)
    version = section.text("version")
    if words is None:
        return None
    return Bot(name=name, program=made, version=version, folder=folder, build=build)


def _build(section: Section) -> tuple[tuple[str, ...], ...]:
    value = section.value("build")
    lines: list[object] = value if isinstance(value, list) else [] if value is None else [value]
    commands: list[tuple[str, ...]] = []
    for number, line in enumerate(lines, 1):
        try:
            commands.append(words_of(line))
        except ValueError as fault:
            said = str(fault).partition(";")[0]
            where = f"command {number} " if isinstance(value, list) else ""
            section.fault("build", f'{where}{said}; write "make" or ["make", "make install"]')
    return tuple(commands)


def command(section: Section, key: str) -> tuple[str, ...] | None:
    """The words of the command below a key; None, and a fault, where there is none that can be used."""
    try:
        return words_of(section.value(key))
    except ValueError as fault:
        section.fault(key, str(fault))
        return None


def place(section: Section) -> Path:
    """The folder that `cwd` names, or the one of the file."""
    path = section.path("cwd")
    if path is None:
        return section.folder
    try:
        there = path.is_dir()
    except (OSError, ValueError):
        there = False
    if not there:
        section.fault("cwd", f"there is no folder {shown(str(path))}")
    return path


def program(section: Section, argv: tuple[str, ...], cwd: Path) -> Program:
    """The program `argv` with the `env` and `limits` of the table."""
    value = section.value("env")
    env, wrong = variables({} if value is None else value)
    for where, text in wrong:
        section.fault("env", f"{shown(where, 60)}: {text}" if where else text)
    table = section.section("limits", LIMITS)
    limits = Limits(**{key: table.whole(key, 1, most, None) for key, most in LIMITS.items()})
    return Program(argv=argv, cwd=str(cwd), env=env, limits=limits)
