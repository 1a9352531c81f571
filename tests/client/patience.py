"""Lets a bot that dials in wait for its arena without a word about it, however long a busy machine makes it wait."""


def patient(program: str) -> str:
    """The same program, which never tells people that the arena does not answer or wants other keys."""
    return f"import donuts_client.dialled\ndonuts_client.dialled.PATIENCE = 3600 * 10**9\n{program}"
