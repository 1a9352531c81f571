"""Lets a bot that dials in wait for its arena without a word about it, however long a busy machine makes it wait."""

HOUR = 3600 * 10**9
"""ns"""


def patient(program: str) -> str:
    """The same program, which never tells people that the arena does not answer or wants other keys, and never takes
    a machine that stands still for a connection that is lost."""
    return (
        "import donuts_client.dealer, donuts_client.dialled, zmq\n"
        f"donuts_client.dialled.PATIENCE = {HOUR}\n"
        "donuts_client.dealer._OPTIONS |= {\n"
        f"    zmq.HEARTBEAT_TIMEOUT: {HOUR // 10**6}, zmq.HANDSHAKE_IVL: {HOUR // 10**6}\n"
        "}\n"
        f"{program}"
    )


def shipped(name: str) -> str:
    """The program of a shipped bot, for `patient`."""
    return f"import runpy\nrunpy.run_module('donuts_client.bots.{name}', run_name='__main__')\n"
