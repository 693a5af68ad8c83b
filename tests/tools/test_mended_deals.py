"""`tools/mended_deals.py`: touches that make a photographed deal right, as a person would make them on the page."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from table_service.games.photographed import Photographed, PhotoGroup
from table_service.photographs.scoring import scored
from table_service.rulesets import rule_set


def test_a_mended_meld_leaves_those_beside_each_other_as_they_were(tools: Callable[[str], ModuleType]) -> None:
    """The other line's two melds are beside each other, and no meld together, whichever groups were mended before."""
    read = (("melds-NS", ("8C", "8H", "??")), ("melds-EW", ("7H", "6H", "5H")), ("melds-EW", ("AH", "AS", "AC")),
            ("melds-EW", ("8H", "9H", "TH")))  # fmt: skip
    beside: dict[int, tuple[int, ...]] = {1: (2,), 2: (1,)}
    groups = tuple(PhotoGroup(shows, cards, beside=beside.get(n, ())) for n, (shows, cards) in enumerate(read))
    facts = {
        line: {"pot": "taken", "closed": line == "NS", "hands": {seat: [] for seat in line}} for line in ("NS", "EW")
    }
    rules = rule_set("fibur2024")
    shown = Photographed(groups, facts, frozenset(("melds-NS", "melds-EW")))
    document = {"deal": {"NS": {"melds": [["8C", "8H", "8S"]], "hands": [[], []]},
                         "EW": {"melds": [list(cards) for _, cards in read[1:]], "hands": [[], []]}}}  # fmt: skip
    right, touches = tools("mended_deals").mended(shown, document, scored(rules, shown))
    assert touches == 1
    assert [group.beside for group in right.groups if group.shows == "melds-EW"] == [(1,), (0,), ()]
    assert not scored(rules, right)["doubtful"]
