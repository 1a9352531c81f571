"""The private report to one team, as text in Markdown: what was done, what failed, and how to mend it.

Nothing of another team is in it, and what the team's programs wrote is made harmless.
"""

import shlex

from donuts_protocol.escape import shown
from donuts_referee.check.verdicts import Outcome, Verdict
from donuts_referee.intake.building import Step
from donuts_referee.intake.examination import Examined, Why
from donuts_referee.teams.bot_toml import FILE

__all__ = ["report", "title"]

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
    """What to call the team: its bot, or its folder."""
    return examined.name or shown(examined.folder.rstrip("/").rpartition("/")[2], 60)


def report(examined: Examined) -> str:
    """The whole report."""
    cause = examined.cause
    version = f", version {examined.version}" if examined.version else ""
    lines = [f"# {title(examined)}{version}: {'entered' if cause is None else 'refused'}", ""]
    if cause is None:
        lines += ["The bot is built and every check that was made holds.", ""]
    else:
        lines += [f"What is wrong: {cause.text}", "", "## How to mend it", "", REMEDIES[cause.why], ""]
        if examined.run and cause.why in (Why.START, Why.SILENT, Why.CHECK):
            command = shown(shlex.join(examined.run), None)
            lines += [
                "The same checks, in the folder where it runs:",
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
