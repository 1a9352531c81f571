"""The private report to one team, as text in Markdown: what was done, what failed, and how to mend it.

Nothing of another team is in it, and what the team's programs wrote is made harmless.
"""

import os
import re
import shlex
import shutil
import sys

from donuts_protocol.escape import shown
from donuts_referee.check.verdicts import Outcome, Verdict
from donuts_referee.intake.building import Step
from donuts_referee.intake.examination import Examined, Why
from donuts_referee.teams.bot_toml import FILE
from donuts_referee.teams.freeze import LOOSE

__all__ = ["report", "title", "within"]

REMEDIES = {
    Why.MISSING: f'Put a {FILE} into the folder; two lines do:\n\n    name = "NAME"\n    run = "./bot"',
    Why.CONFIG: f"Mend {FILE} where the lines above say so.",
    Why.NAME: f'Say another name in {FILE}: name = "...". Names must differ by more than case.',
    Why.LINKS: "Put the files themselves into the folder. Links within it are fine, and links to programs.",
    Why.BUILD: "Run the command in a copy of the folder, without what your own shell sets: it must end with exit "
    "status 0,\nand in time.",
    Why.START: "Run the bot as below. It must stay, say hello first, and load what it needs from its own folder.",
    Why.SILENT: "Say hello at once, before anything heavy is loaded and before stdin is read, and flush stdout.",
    Why.CHECK: "The checks that failed say what was sent, what came and what would be right. Begin with the first: the "
    "others may\nfollow from it.",
    Why.OURS: "This is no fault of yours; the organizers are to run the intake again.",
}


def title(examined: Examined) -> str:
    """What to call the team: its bot, and its folder where that has another name."""
    folder = shown(examined.folder.rstrip("/").rpartition("/")[2], 60)
    name = examined.name
    return folder if name is None or name == folder else f"{name} (folder {folder})"


def within(text: str, folder: str) -> str:
    """A text as it is in the team's folder: without the path to it, which is the organizers' own business."""
    for place in {shown(folder, None), shown(os.path.realpath(folder), None)}:
        text = re.sub(
            rf"{re.escape(place)}(/(?=[^\s/])|(?![\w.+-]))", lambda found: "" if found[1] else ".", text
        )
    return text.replace(shown(sys.executable, None), "python")


def report(examined: Examined) -> str:
    """The whole report."""
    return within(_report(examined), examined.folder)


def _report(examined: Examined) -> str:
    cause = examined.cause
    version = f", version {examined.version}" if examined.version else ""
    lines = [f"# {title(examined)}{version}: {'entered' if cause is None else 'refused'}", ""]
    if cause is None:
        lines += ["The bot is built and every check that was made holds.", ""]
        lines += _written(examined.wrote)
    else:
        lines += [f"What is wrong: {cause.text}", "", "## How to mend it", "", REMEDIES[cause.why], ""]
        if examined.run and cause.why in (Why.START, Why.SILENT, Why.CHECK):
            command = shown(shlex.join(_words(examined)), None)
            where = os.path.relpath(examined.cwd or examined.folder, examined.folder)
            lines += [
                f"The same checks, in {'your folder' if where == '.' else shown(where, None)}:",
                "",
                f"    donuts check -- {command}",
                "",
            ]
        if cause.why == Why.BUILD:
            lines += [
                "Of the environment PATH, HOME, LANG, TMPDIR, TZ and LC_* are kept, and env of bot.toml is added.",
                "",
            ]
    lines += _build(examined.steps)
    lines += _checks(examined.verdicts)
    return "\n".join(lines).rstrip("\n") + "\n"


def _written(wrote: tuple[str, ...]) -> list[str]:
    if not wrote:
        return []
    return [
        "## It writes into its folder",
        "",
        "While it was checked, this was written to. An event whose files are frozen ends when what they hold changes:",
        "",
        *(f"    {line}" for line in wrote),
        "",
        f"Let it write below folders called {' or '.join(sorted(LOOSE))}, or not at all.",
        "",
    ]


def _words(examined: Examined) -> tuple[str, ...]:
    """The command as the team would type it where the bot runs."""
    words = list(examined.run)
    if words[0] == sys.executable and words[1:] and words[1].endswith(".py"):
        del words[0]
    elif words[1:2] == ["-jar"]:
        del words[:2]
    first = words[0]
    if shutil.which(os.path.basename(first)) == first:  # noqa: PTH119
        words[0] = os.path.basename(first)  # noqa: PTH119
    elif first.startswith(examined.folder.rstrip("/") + "/"):
        words[0] = os.path.relpath(first, examined.cwd or examined.folder)
        if "/" not in words[0] and not words[0].endswith((".py", ".jar")):
            words[0] = f"./{words[0]}"
    return tuple(words)


def _build(steps: tuple[Step, ...]) -> list[str]:
    lines = ["## Build", ""] if steps else []
    for step in steps:
        lines += [f"    $ {step.command}", *(f"    {line}" for line in step.output), ""]
        lines += [f"{'Fine' if step.ok else 'Failed'} after {step.ms / 1000:.1f} s: {step.ended}.", ""]
    return lines


def _checks(verdicts: tuple[Verdict, ...]) -> list[str]:
    lines = ["## Checks", ""] if verdicts else []
    made = [verdict for verdict in verdicts if verdict.outcome in (Outcome.OK, Outcome.FAILED)]
    for verdict in made:
        outcome = "FAILED" if verdict.outcome == Outcome.FAILED else verdict.outcome
        note = f": {verdict.note}" if verdict.note else ""
        lines.append(f"    {outcome:<9} {verdict.id:<15} {verdict.title}{note}")
    if len(made) < len(verdicts):
        lines.append(f"    {len(verdicts) - len(made)} more could not be made, or are not for this bot")
    for verdict in made:
        if verdict.outcome == Outcome.FAILED and verdict.finding is not None:
            finding = verdict.finding
            lines += ["", f"### {verdict.id}: {verdict.title} ({', '.join(verdict.clauses)})", ""]
            lines += [
                f"    sent:  {finding.sent}",
                f"    came:  {finding.came}",
                f"    right: {finding.right}",
            ]
    return lines
