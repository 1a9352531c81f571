"""What can be wrong with bytes, and whose fault it is.

ProtocolError
+- InvalidMessage        one line or payload is not a message; the session decides what that means
+- RemoteProtocolError   the peer broke the protocol: a fault with its `why`
+- LocalProtocolError    this program tried to send what the order of messages forbids
"""


class ProtocolError(Exception):
    """The trunk of the tree; never raised itself."""


class InvalidMessage(ProtocolError):
    """One line or payload cannot be read as a message.

    `verb` is its first token where that could be read (else ""), `id` its id where that is readable (else None),
    `key` the field at fault (else ""), and the exception's text says what is wrong and what would be right.
    """

    def __init__(self, reason: str, *, verb: str = "", id: int | None = None, key: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.verb = verb
        self.id = id
        self.key = key


class UndecodablePayload(InvalidMessage):
    """A msgpack payload is not one map: trailing bytes, too deep, a key twice, cut short, or another type."""


class RemoteProtocolError(ProtocolError):
    """The peer broke the protocol.

    `why` is a code of `codes.WHY`, `text` a sentence that quotes what came, `raw` the bytes at fault (cut to 4096).
    `clause` cites SPEC.md.
    """

    def __init__(self, why: str, text: str, *, raw: bytes = b"", clause: str = "") -> None:
        super().__init__(text)
        self.why = why
        self.text = text
        self.raw = raw[:4096]
        self.clause = clause


class LocalProtocolError(ProtocolError):
    """This end tried to send a message that may not be sent now."""
