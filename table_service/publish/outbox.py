"""Store of events until a broker has them, as the publisher sees it: the journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from table_service.events.sequence import Extent


class KeptEvent(Protocol):
    """An event as the outbox gives it."""

    @property
    def n(self) -> int:
        """Its place in the journal."""
        ...

    @property
    def boot(self) -> str:
        """The boot that made it."""
        ...

    @property
    def public(self) -> dict[str, Any]:
        """Its public envelope."""
        ...

    @property
    def secret(self) -> dict[str, Any] | None:
        """The part that only the arbitro may know."""
        ...

    @property
    def sent(self) -> bool:
        """True if it was handed to a broker before."""
        ...


class Outbox(Protocol):
    """Store of events until a broker has them (the journal)."""

    def pending(self, after: int = 0, limit: int = 20) -> Sequence[KeptEvent]:
        """Return the oldest events after place ``after`` that are not acknowledged."""
        ...

    def sync(self) -> None:
        """Wait until a power cut can take none of what was kept so far."""
        ...

    def mark_sent(self, places: Sequence[int]) -> None:
        """They were handed to a broker."""
        ...

    def mark_acknowledged(self, places: Sequence[int]) -> None:
        """Mark these events as taken by a broker."""
        ...

    def head(self) -> tuple[int, str]:
        """Return the last place on file and its hash."""
        ...

    def extents(self, boots: int) -> Sequence[Extent]:
        """Return what there is of the newest boots that a broker has had."""
        ...

    def between(self, boot: str, first: int, last: int, limit: int) -> Sequence[dict[str, Any]]:
        """Return the public envelopes of one boot's events on file, in order."""
        ...

    def highest(self, boot: str) -> int:
        """Return the highest number of an event of ``boot`` on file."""
        ...
