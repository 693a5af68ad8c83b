"""Reports that a table without some sensors makes by sight, and the rows whose sensors, by the catalogue, it lacks."""

from __future__ import annotations

from typing import Final

from hw.equipment import Equipment
from hw.tablemap import TableMap
from table_service.rulesets import equipment_of, rule_set

_BY_PEOPLE: Final = frozenset({"person", "derived"})
"""Evidence for a row besides sensors: a person's word, and what follows from play."""


def reports_of(table: TableMap) -> list[str]:
    """Return sentences on what ``table`` reports; none if it has all that its rule set's rows ask for."""
    rules = rule_set(table.table.rules)
    equipment = equipment_of(table.table.rules)
    if table.sensors(equipment) == {}:
        return []
    there = _kinds(table)
    every = rules.catalogue.rows.values()
    rows = [row for row in every if row.kind == "irregularity" and row.senses != ("person",)]
    told = [row.id for row in rows if set(row.senses) - _BY_PEOPLE <= there]
    untold = [row.id for row in rows if row.id not in told]
    here = equipment.sensed_by(table.sensors(equipment))
    said = _by_sight(here, equipment) + _without_hands(here, equipment)
    if table.sees_hands:
        said.append("whose hand reaches where is told by the camera: not always where two arms lie over each other")
    if told:
        asked = f"{len(told)} of {len(rows)} irregularities ask for no sensor that this table lacks"
        said.append(f"{asked}: {', '.join(told)}")
    if untold:
        said.append(f"these ask for more, and a person's word may be needed: {', '.join(untold)}")
    return said


def _by_sight(here: Equipment, whole: Equipment) -> list[str]:
    """Return the camera's reports of zones that should have a scale and do not."""
    unweighed = [zone for zone in whole.weighed if zone not in here.weighed]
    drawn = [zone for zone in whole.leaving("singly") if zone in unweighed]
    piles = [zone for zone in whole.lying("pile") if zone in unweighed]
    heaps = [zone for zone in whole.leaving("in-heaps") if zone in unweighed]
    said = [f"draws from the {zone} are reported as likely: the camera sees an arm there, no card" for zone in drawn]
    said += [f"cards on the {zone} are told by sight: turns, discards and pick-ups are reported" for zone in piles]
    said += [f"the {zone} are supposed to be taken when a hand is used up: nothing senses them" for zone in heaps]
    return said


def _without_hands(here: Equipment, whole: Equipment) -> list[str]:
    """Return what is reported otherwise if beams or gates that would identify hands are missing."""
    said = []
    if whole.leaving("singly") and not here.beamed and not here.gated:
        said.append("no sensor tells hands: whose act it was follows from the order of play")
    if whole.gated and not here.gated and not here.beamed:
        said.append("cards exposed on the open table are reported without a seat: no gate tells whose they are")
    return said


def _kinds(table: TableMap) -> set[str]:
    """Return the kinds of evidence at ``table``, in the words of the catalogue."""
    nodes = table.nodes.values()
    has = {
        "camera": table.camera.source != "none",
        "scale": any(node.scales for node in nodes),
        "gate": any(node.coils for node in nodes),
        "beam": any(node.beams for node in nodes) or table.sees_hands,
        "shield": any(node.shields for node in nodes),
    }
    return {kind for kind, there in has.items() if there}
