"""The items of a game's score, by name and title, and the sums that a printed sheet makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from table_service.events import payloads as say
from table_service.events.untrusted import as_list, as_map, as_name

Title = tuple[str, str]
"""Words for people: Italian, English."""


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One item of a score. ``name``: as in ``score.counted``; ``part``: the sum of the printed sheet it belongs to."""

    name: str
    title: Title
    part: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The items of a line in their order, and the sums that a printed sheet has besides the total.

    ``given``: the item for what the arbitro gives to a line or takes from it; empty if there is none.

    >>> sheet = ScoreSheet((ScoreItem("tricks", ("Prese", "Tricks")), ScoreItem("bonus", ("Premi", "Bonus"))))
    >>> sheet.entries, sheet.title("bonus")
    (('tricks', 'bonus', 'total'), ('Premi', 'Bonus'))
    """

    items: tuple[ScoreItem, ...]
    parts: tuple[tuple[str, Title], ...] = ()
    given: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items, in order."""
        return tuple(item.name for item in self.items)

    @property
    def printed(self) -> tuple[str, ...]:
        """The names of the items as a printed sheet has them: sum by sum, then those of no sum."""
        parts = (*(part for part, _ in self.parts), "")
        return tuple(name for part in parts for name in self.of_part(part))

    @property
    def entries(self) -> tuple[str, ...]:
        """Names that a sheet may use for a line: the items, the sums and the total."""
        return (*self.names, *(part for part, _ in self.parts), "total")

    @property
    def sheet_items(self) -> tuple[say.SheetItem, ...]:
        """The items as ``score.counted`` names them."""
        return tuple(
            say.SheetItem(item=one.name, title=say.Text(it=one.title[0], en=one.title[1]), part=one.part or None)
            for one in self.items
        )

    def title(self, name: str) -> Title | None:
        """Return the title of the item or of the sum ``name``; None if there is none of that name."""
        titles = {item.name: item.title for item in self.items} | dict(self.parts)
        return titles.get(name)

    def of_part(self, part: str) -> tuple[str, ...]:
        """Return the names of the items that the sum ``part`` is made of, in order."""
        return tuple(item.name for item in self.items if item.part == part)


def sheet_told(told: object, otherwise: ScoreSheet) -> ScoreSheet:
    """Return the items that a ``score.counted`` names in its ``sheet``; ``otherwise`` if it names none.

    The sums are those that the items belong to, with the titles that ``otherwise`` has for them.
    """
    items = tuple(
        ScoreItem(str(one["item"]), _both(as_map(one.get("title")), str(one["item"])), str(one.get("part") or ""))
        for one in map(as_map, as_list(told))
        if as_name(one.get("item")) is not None
    )
    if not items:
        return otherwise
    titles = dict(otherwise.parts)
    parts = dict.fromkeys(item.part for item in items if item.part)
    return ScoreSheet(items, tuple((part, titles.get(part, (part, part))) for part in parts))


def _both(title: Mapping[str, Any], name: str) -> Title:
    italian, english = as_name(title.get("it")), as_name(title.get("en"))
    return italian or english or name, english or italian or name
