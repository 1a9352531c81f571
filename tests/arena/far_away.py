"""A TCP proxy that puts bots far away: what passes is delayed at random in each direction, and its order is kept."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random


@contextmanager
def far_away(port: int, delay: float, spread: float, seed: int = 1) -> Iterator[str]:
    """A port of the loopback interface is `delay` +- `spread` seconds away; gives the endpoint to dial instead."""
    proxy = _Proxy(port, delay, spread, Random(seed))
    thread = threading.Thread(target=lambda: asyncio.run(proxy.serve()), daemon=True)
    thread.start()
    try:
        assert proxy.open.wait(30)
        yield f"tcp://127.0.0.1:{proxy.port}"
    finally:
        proxy.end()
        thread.join(30)
        assert not thread.is_alive(), f"the proxy does not end; {len(proxy.ways)} connections are left"


class _Proxy:
    def __init__(self, target: int, delay: float, spread: float, random: Random) -> None:
        self.target = target
        self.port = 0
        self.open = threading.Event()
        self.ways: set[_Way] = set()
        self._delay = delay
        self._spread = spread
        self._random = random
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event

    def delay(self) -> float:
        return self._delay + self._random.uniform(-self._spread, self._spread)

    async def serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(lambda: _Near(self), "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self.open.set()
        await self._over.wait()
        server.close()
        while (
            self.ways
        ):  # each hears that its connection is lost; one that was dialled on late comes meanwhile
            for way in tuple(self.ways):
                way.abort()
            await asyncio.sleep(0)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)


class _Way(asyncio.Protocol):
    """One end of a connection; what it hears goes out at the other end, later."""

    other: "_Way"

    def __init__(self, proxy: _Proxy) -> None:
        self._proxy = proxy
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._early = b""
        self._due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._proxy.ways.add(self)
        transport.write(self._early)

    def data_received(self, data: bytes) -> None:
        self._loop.call_at(self._later(), self.other.put, data)

    def connection_lost(self, fault: Exception | None) -> None:
        self._proxy.ways.discard(self)
        self._loop.call_at(self._later(), self.other.abort)

    def _later(self) -> float:
        """When what was heard now comes out: never before what was heard earlier."""
        self._due = max(self._due + 1e-6, self._loop.time() + self._proxy.delay())
        return self._due

    def put(self, data: bytes) -> None:
        if self._transport is None:
            self._early += data
        elif not self._transport.is_closing():
            self._transport.write(data)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class _Near(_Way):
    """The end that bots dial in to: dials on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.other = far = _Way(self._proxy)
        far.other = self
        self._dialling = self._loop.create_task(
            self._loop.create_connection(lambda: far, "127.0.0.1", self._proxy.target)
        )
