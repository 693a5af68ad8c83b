"""Pages for programs besides the API itself: its description, and figures for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException

from table_service.console.access import STAFF, only
from table_service.console.pages import Pages
from table_service.console.vocabulary import pair

ABOUT: Final = (
    "What the arbitro's console shows and does, for programs. Each question carries `Authorization: Bearer TOKEN`. "
    "The direction makes tokens on the page of people; a program sees and may do what that person sees and may do. "
    "Spectators see play later by what the organiser has set. Orders go to tables as those of the pages do: they may "
    "be undone for a moment, and are done only when the table says so."
)
_WORDS: Final = {401: "api_no_token", 403: "not_allowed", 404: "no_page"}


class Figures(Collector):
    """Figures of the console, taken when they are asked for."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def collect(self) -> Iterator[Metric]:
        """Every figure."""
        store, book = self._pages.store, self._pages.book
        tables = GaugeMetricFamily("tavolo_tables", "Tables by what they said last.", labels=["status"])
        for status, count in sorted(Counter(str(view.status) for view in store.tables.values()).items()):
            tables.add_metric([status], count)
        yield tables
        waiting = GaugeMetricFamily("tavolo_alerts", "Alerts that stand, by severity.", labels=["severity"])
        kinds = (
            "call" if "row" not in alert else str(alert.get("severity"))
            for view in store.tables.values()
            for alert in view.alerts.values()
        )
        for severity, count in sorted(Counter(kinds).items()):
            waiting.add_metric([severity], count)
        yield waiting
        yield from self._queues()
        yield GaugeMetricFamily("tavolo_broker_connected", "1 while the broker is reached.", int(store.connected))
        yield GaugeMetricFamily("tavolo_orders_open", "Orders that wait or have no answer.", len(book.orders.open()))
        yield GaugeMetricFamily("tavolo_pages_open", "Streams of pages that are open.", store.watched)
        views = store.tables.values()
        yield GaugeMetricFamily(
            "tavolo_events_lacking",
            "Events not heard and not yet had from the journals.",
            sum(v.gaps.open for v in views),
        )
        yield GaugeMetricFamily(
            "tavolo_events_gone", "Events that no journal has any more.", sum(v.gaps.gone for v in views)
        )
        yield CounterMetricFamily(
            "tavolo_gap_questions",
            "Questions to tables for events that were lacking.",
            self._pages.office.gaps.questions,
        )
        yield CounterMetricFamily("tavolo_unreadable", "Messages that could not be read.", store.unreadable)

    def _queues(self) -> Iterator[Metric]:
        """Return what waits, and what became of what could not: every queue of the console is bounded."""
        office, book = self._pages.office, self._pages.book
        waiting = GaugeMetricFamily("tavolo_queue", "What waits in a queue now.", labels=["queue"])
        waiting.add_metric(["disk"], book.database.unwritten)
        said = {
            "taken": "Messages taken in.",
            "replaced": "Messages that a newer one of the same topic replaced while they waited.",
            "shed": "Events about cards left out in an overload, to be had from the journals later.",
            "dropped": "Other messages left out because more waited than any hall can have.",
        }
        counters = {
            name: CounterMetricFamily(f"tavolo_intake_{name}", text, labels=["connection"])
            for name, text in said.items()
        }
        for connection, intake in office.intakes.items():
            waiting.add_metric([connection], intake.qsize())
            for name, family in counters.items():
                family.add_metric([connection], getattr(intake.counts, name))
        yield waiting
        yield from counters.values()
        yield CounterMetricFamily(
            "tavolo_unsent", "Messages that waited because too many were going out.", office.unsent
        )


def router(pages: Pages, openapi: Callable[[], dict[str, Any]]) -> APIRouter:
    """Return the routes for programs besides the API's own."""
    made = APIRouter()
    registry = CollectorRegistry()
    registry.register(Figures(pages))

    @made.get("/api/v1/openapi.json", dependencies=[Depends(only(None))], include_in_schema=False)
    async def described() -> Response:
        """Serve the API's description."""
        return JSONResponse(openapi())

    @made.get("/metrics", dependencies=[Depends(only(STAFF))], include_in_schema=False)
    async def metrics() -> Response:
        """Figures for Prometheus, asked for with a token."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return made


def problem(error: HTTPException) -> Response:
    """Return an error as the API says it."""
    if isinstance(error.detail, dict):
        said: dict[str, str] = error.detail
    else:
        word = _WORDS.get(error.status_code, "went_wrong")
        it, en = pair(word)
        said = {"error": word, "it": it, "en": en}
    return JSONResponse(said, status_code=error.status_code, headers=error.headers)
