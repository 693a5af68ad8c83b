"""Names of a table's parts on pages: no zone, sensor or node is shown by its code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from table_service.console.event_sentences import tell
from table_service.console.part_names import part_name, zone_name
from table_service.console.vocabulary import Language, Words
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rulesets import RULE_SETS


def _parts(rules: str) -> list[str]:
    """What health of a table that plays by ``rules`` may be about, as ``hw.coverage`` names it."""
    equipment = rehearsal_of(rules).table.equipment
    zones = [place.zone for place in equipment.places]
    scales = [f"west/scale:{place.zone}" for place in equipment.places if place.weighed]
    coils = [f"coil {place.zone}" for place in equipment.places if place.gated]
    beams = [f"beam:N:{place.zone}" for place in equipment.places if place.beamed]
    kept = ["camera", "camera-settings", "calibration", "sight", "evidence", "journal", "disk", "power", "west/ledger"]
    kinds = ["beams", "scales", "coils", "shields", "button:E:count", "shield:W", "deal", "order"]
    return [*zones, *scales, *coils, *beams, *equipment.beside, *kept, *kinds]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_part_of_every_games_table_has_a_name(rules: str, language: Language) -> None:
    words = Words(language, RULE_SETS[rules].pages)
    for what in _parts(rules):
        name = part_name(words, what)
        assert name
        assert not re.search(r"[{/]|\w:\w|-[NESW]|(?:node|centralina) [«“](?!west)", name), (what, name)


def test_a_zone_of_a_seat_is_named_with_the_seat_in_bridge_too() -> None:
    words = Words("it", RULE_SETS["bridge"].pages)
    assert zone_name(words, "played-N") == "carte giocate da Nord"
    assert zone_name(words, "board-W") == "tasca di Ovest"
    assert words.zone("side-E") == "carte messe da parte da Est"


def test_a_node_is_called_a_node_and_never_a_path() -> None:
    assert part_name(Words("it"), "/dev/pts/1") == "centralina «pts/1»"
    assert part_name(Words("en"), "west") == "sensor node “west”"


@pytest.mark.parametrize(
    ("what", "state", "italian", "english"),
    [
        ("order", "ignored", "Un comando è rimasto senza effetto", "An order had no effect"),
        ("order", "ok", "chi scambia solo carte", "cards are only exchanged"),
        ("deal", "unverified", "nessuno ha visto la fine", "no end of the deal was seen"),
        ("beams", "verified", "Verificato: barriere", "Verified: beams"),
        ("/dev/pts/1", "lost", "Il tavolo non sente più: centralina", "The table no longer senses: sensor node"),
    ],
)
def test_health_is_told_in_sentences(what: str, state: str, italian: str, english: str) -> None:
    event: dict[str, Any] = {"type": "table.health", "seat": None, "data": {"what": what, "state": state, "note": ""}}
    assert italian in tell(event, Words("it")).text
    assert english in tell(event, Words("en")).text
