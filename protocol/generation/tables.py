"""The tables and the picture of SPEC.md that are made from the code, each as the Markdown between its two markers."""

from collections.abc import Mapping

from donuts_protocol.codes import WHY, Consequence
from donuts_protocol.fields import Field, Kind, shape
from donuts_protocol.keys import MAX_INT
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS, Message
from donuts_protocol.states import diagram

PARTIES: Mapping[str, tuple[type[Message], ...]] = {
    "bot": FROM_BOT,
    "referee": FROM_REFEREE,
    "asker of the service": SERVICE_ASKS,
    "service": SERVICE_ANSWERS,
}
"""Who sends which messages, in the order of the table."""


class Drift(Exception):
    """SPEC.md has lost a marker."""


def rewritten(spec: str) -> str:
    """SPEC.md's text with everything between its markers made anew; Drift if a marker is missing or stands twice."""
    for name, content in sections().items():
        start, end = f"<!-- generated: {name} -->\n", f"<!-- /generated: {name} -->"
        if spec.count(start) != 1 or spec.count(end) != 1:
            raise Drift(f"SPEC.md: the markers of the generated part '{name}' must stand there once")
        before, _, rest = spec.partition(start)
        _, _, after = rest.partition(end)
        spec = f"{before}{start}\n{content}\n{end}{after}"
    return spec


def sections() -> dict[str, str]:
    """The generated parts by the name in their markers."""
    return {
        "messages": messages_table(),
        "keys": keys_table(),
        "states": f"```mermaid\n{diagram().strip()}\n```\n",
        "codes": codes_table(),
    }


def messages_table() -> str:
    """Every message: who sends it, its arguments and fields (`*` required, `-` may be none), what it is for."""
    lines = ["| from | verb | arguments | fields | what it is for |", "|---|---|---|---|---|"]
    for party, messages in PARTIES.items():
        for message in messages:
            form = shape(message)
            arguments = " ".join(_marked(field) for field in form.fields if field.positional)
            fields = " ".join(_marked(field) for field in form.fields if not field.positional)
            purpose = " ".join((message.__doc__ or "").split())
            lines.append(f"| {party} | **{form.verb}** | {arguments} | {fields} | {purpose} |")
    return "\n".join(lines) + "\n"


def _marked(field: Field) -> str:
    if field.positional:
        return f"`{field.key}`" + (" or `-`" if field.dash else "")
    return f"`{field.key}`" + ("*" if field.required else "")


def keys_table() -> str:
    """Every key: its type, its meaning, and the messages it appears in; Drift if a key had two types or meanings."""
    lines = ["| key | type | meaning | in |", "|---|---|---|---|"]
    for key, (kind, meaning, users) in glossary().items():
        lines.append(f"| `{key}` | {kind} | {meaning} | {' '.join(users)} |")
    return "\n".join(lines) + "\n"


def glossary() -> dict[str, tuple[str, str, list[str]]]:
    """Type, meaning and using verbs of every key, in the order of first appearance."""
    found: dict[str, tuple[str, str, list[str]]] = {}
    for messages in PARTIES.values():
        for form in map(shape, messages):
            for field in form.fields:
                kind, meaning, users = found.setdefault(field.key, (type_of(field), field.description, []))
                if (kind, meaning) != (type_of(field), field.description):
                    raise Drift(f"the key {field.key} has another type or meaning in {form.verb}")
                if form.verb not in users:
                    users.append(form.verb)
    return found


def type_of(field: Field) -> str:
    """What a value of the field looks like, for people; the same in every message that has the key."""
    match field.kind:
        case Kind.INTEGER:
            text = f"int {field.low}..{'2^53-1' if field.high == MAX_INT else field.high}"
        case Kind.CHOICE:
            text = " / ".join(f"`{choice}`" for choice in field.choices)
        case Kind.STRING:
            text = f"str {field.low}..{field.high}"
        case Kind.TOKEN:
            text = field.reads
        case Kind.LIST:
            text = f"list, at most {field.high}, of {field.reads}"
    return text


def codes_table() -> str:
    """Every code of endings, faults and warnings."""
    lines = ["| why | clause | when | consequence |", "|---|---|---|---|"]
    for code in WHY.values():
        link = f"[{code.clause}](#{code.clause})"
        lines.append(f"| `{code.name}` | {link} | {code.meaning} | {_CONSEQUENCES[code.consequence]} |")
    return "\n".join(lines) + "\n"


_CONSEQUENCES: Mapping[Consequence, str] = {
    Consequence.RESULT: "the result",
    Consequence.LOSS: "loss",
    Consequence.REPLACED: "loss, bot replaced",
    Consequence.VOID: "void, played again on resume",
    Consequence.NONE: "counted, none",
}
