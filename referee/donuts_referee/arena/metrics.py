"""Offers the arena's figures to Prometheus over HTTP, where the operator asked for that."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from donuts_referee.arena.status import Status
from donuts_referee.endpoints import host_and_port

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

__all__ = ["MetricsFault", "offer"]


class MetricsFault(Exception):
    """The figures cannot be offered; the text is one line."""


def offer(address: str, status: Callable[[], Status]) -> Callable[[], None]:
    """Serve the figures at HOST:PORT from a thread of its own; returns what ends that. Raises MetricsFault.

    `status` is called on that thread, once for each scrape.
    """
    try:
        from prometheus_client import CollectorRegistry, start_http_server
    except ImportError:
        raise MetricsFault("prometheus-client is not installed: pip install prometheus-client") from None
    registry = CollectorRegistry()
    registry.register(_Figures(status))
    host, port = host_and_port(address)
    try:
        server, thread = start_http_server(int(port), addr=host, registry=registry)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MetricsFault(f"metrics at {address}: {reason}; name another port") from None

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return end


class _Figures:
    """Turns a status into metrics whenever they are asked for."""

    def __init__(self, status: Callable[[], Status]) -> None:
        self._status = status

    def collect(self) -> Iterator["Metric"]:
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        status = self._status()
        for name, text, value in (
            ("donuts_seated", "bots that hold a seat", status.seated),
            ("donuts_matches", "matches in play", status.playing),
            ("donuts_games_held", "finished games that wait to be written", status.held),
            ("donuts_strangers", "connections without a seat", status.strangers),
            ("donuts_resident_bytes", "memory of the arena", status.resident),
            ("donuts_up_seconds", "time since the start", status.up),
        ):
            yield GaugeMetricFamily(name, text, value)
        yield CounterMetricFamily("donuts_plies", "placements asked for since the start", status.plies)
        games = CounterMetricFamily("donuts_games", "games finished since the start", labels=["why"])
        for why, count in sorted(status.ended.items()):
            games.add_metric([why], count)
        yield games
        refused = CounterMetricFamily("donuts_refused", "peers and messages turned away", labels=["reason"])
        for reason, count in sorted(status.refused.items()):
            refused.add_metric([reason], count)
        yield refused
        rtt = GaugeMetricFamily("donuts_rtt_seconds", "last measured round trip", labels=["seat"])
        for guest in status.guests:
            if guest.rtt_ms is not None:
                rtt.add_metric([guest.seat], guest.rtt_ms / 1000)
        yield rtt
