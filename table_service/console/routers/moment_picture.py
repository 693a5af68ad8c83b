"""The picture beside a moment of a past deal: the nearest that its table keeps, of an irregularity of that deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_service.console.alert_pictures import Shot, shots
from table_service.console.pages import Pages
from table_service.console.table_view import TableView
from table_service.events.topics import level
from table_service.events.untrusted import as_list, as_map, as_name, as_number
from table_service.games.game_pages import Moment

NEAR_S: Final = 8.0
"""A picture that is farther from the moment shows another one."""


def moment_picture(
    pages: Pages, table: TableView | None, found: Sequence[Moment], t: float
) -> tuple[Shot | None, float]:
    """Return the picture nearest to second ``t`` of the table, and how far from it; None if none is near."""
    best: tuple[Shot | None, float] = (None, 0.0)
    if table is None:
        return best
    keys = {(str(one.event.get("boot")), key) for one in found if (key := _key(one)) is not None}
    for boot, key in sorted(keys):
        about = pages.book.pictures.about(table.name, boot, key)
        for entry in map(as_map, as_list((about or {}).get("pictures"))):
            ref, sha256, at = as_name(entry.get("ref")), as_name(entry.get("sha256")), as_number(entry.get("t"))
            if ref is None or sha256 is None or at is None or ref in table.why or abs(at - t) > NEAR_S:
                continue
            table.digests.setdefault(ref, sha256)
            if best[0] is None or abs(at - t) < abs(best[1]):
                best = (shots("", table, {"pictures": [entry]})[0], at - t)
    return best


def _key(moment: Moment) -> str | None:
    key = as_name(as_map(moment.event.get("data")).get("key")) if moment.event.get("type") == "irregularity" else None
    return None if key is None else level(key)
