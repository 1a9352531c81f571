"""How times are put for people."""

__all__ = ["duration"]


def duration(seconds: float) -> str:
    """`0:01:15`, and `2 d 3:00:00` from a day on."""
    days, rest = divmod(round(seconds), 86400)
    text = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {text}" if days else text
