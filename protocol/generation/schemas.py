"""JSON Schema of every message as its msgpack map (or the same map as JSON), one file each."""

import json
from typing import Any

import msgspec

from donuts_protocol.fields import shape
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS, Message

FOLDERS: dict[str, tuple[type[Message], ...]] = {
    "bot": FROM_BOT,
    "referee": FROM_REFEREE,
    "service": SERVICE_ASKS + SERVICE_ANSWERS,
}


def schema_files() -> dict[str, str]:
    """File name below schema/ -> content."""
    return {
        f"{folder}/{message.verb}.json": json.dumps(schema(message, folder), indent=2, ensure_ascii=False)
        + "\n"
        for folder, messages in FOLDERS.items()
        for message in messages
    }


def schema(message: type[Message], folder: str) -> dict[str, Any]:
    """The schema that msgspec derives, narrowed to the wire: "none" is an absent key, patterns are those of ECMA 262.

    Unknown keys are allowed (DBP-3.11). Schema cannot say that strings hold no control characters (DBP-3.10).
    """
    (derived,), components = msgspec.json.schema_components((message,), ref_template="#/$defs/{name}")
    (body,) = [part for name, part in components.items() if derived["$ref"].endswith(f"/{name}")]
    form = shape(message)
    nullable = {field.key for field in form.fields if field.dash}
    properties = {key: _on_the_wire(part) for key, part in body["properties"].items()}
    for key in message.nonempty:
        properties[key]["minItems"] = 1
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{form.verb} ({folder})",
        "description": body["description"],
        "type": "object",
        "properties": properties,
        "required": [key for key in body["required"] if key not in nullable],
    }


def _on_the_wire(part: dict[str, Any]) -> dict[str, Any]:
    part = {key: value for key, value in part.items() if key != "default"}
    if "anyOf" in part:
        (real,) = [choice for choice in part.pop("anyOf") if choice != {"type": "null"}]
        part = _on_the_wire(real) | part
    if "pattern" in part:
        part["pattern"] = part["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
    if "items" in part:
        part["items"] = _on_the_wire(part["items"])
    return part
