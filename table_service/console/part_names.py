"""Names of a table's parts for people: zones, sensors, nodes, the camera, what keeps pictures and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import LINES, SEATS

if TYPE_CHECKING:
    from table_service.console.vocabulary import Words

PARTS: Final[dict[str, tuple[str, str]]] = {
    "zone_hand": ("mano di", "hand of"),
    "zone_table": ("tavolo", "table"),
    "zone_side-seat": ("carte messe da parte da {seat}", "cards put aside by {seat}"),
    "zone_gate-seat": ("lettore di {seat}", "reader of {seat}"),
    "zone_gate-stock": ("lettore del tallone", "reader of the stock"),
    "zone_camera-settings": ("regolazioni della telecamera", "camera settings"),
    "part_camera": ("telecamera", "camera"),
    "part_calibration": ("taratura della telecamera", "calibration of the camera"),
    "part_sight": ("lettura delle immagini", "reading of the pictures"),
    "part_evidence": ("archivio delle immagini", "store of the pictures"),
    "part_journal": ("registro del tavolo", "journal of the table"),
    "part_disk": ("disco del tavolo", "disk of the table"),
    "part_power": ("alimentazione", "power"),
    "part_ledger": ("orologio dei sensori", "clock of the sensors"),
    "part_tags": ("file delle etichette", "tags file"),
    "part_deal": ("smazzata", "deal"),
    "part_order": ("comando", "order"),
    "sensor_scale": ("bilancia: {where}", "scale: {where}"),
    "sensor_coil": ("antenna: {where}", "antenna: {where}"),
    "sensor_beam": ("barriera: {where}", "beam: {where}"),
    "sensor_shield": ("schermo: {where}", "shield: {where}"),
    "sensor_button": ("pulsante: {where}", "button: {where}"),
    "sensor_knock": ("sensore dei colpi: {where}", "knock sensor: {where}"),
    "sensor_screen": ("sipario: {where}", "screen: {where}"),
    "sensor_tray": ("contatto del carrello: {where}", "contact of the tray: {where}"),
    "part_scales": ("bilance", "scales"),
    "part_coils": ("antenne", "antennas"),
    "part_beams": ("barriere", "beams"),
    "part_shields": ("schermi", "shields"),
    "part_node": ("centralina «{name}»", "sensor node “{name}”"),
    "part_of_node": ("{part} (centralina «{name}»)", "{part} (sensor node “{name}”)"),
    "part_whole": ("tutto il pannello", "the whole panel"),
    "part_aperture": ("apertura", "aperture"),
    "part_count": ("conta", "count"),
}
"""Where a game's own words (``zone_…``) name none of it. A contact or button without a name keeps its own."""


def zone_name(words: Words, zone: str) -> str:
    """Name of a zone of the table; of one that no word is for, its code.

    >>> from table_service.console.vocabulary import Words
    >>> zone_name(Words("en"), "gate-N")
    'reader of North'
    """
    return _zone(words, zone) or zone


def _zone(words: Words, zone: str) -> str:
    """Name of ``zone``; empty where no word is for it."""
    kind, _, whose = zone.partition("-")
    if kind == "hand" and whose:
        return f"{words['zone_hand']} {words.seat(whose)}"
    if whose in LINES:
        return words.get(f"zone_{kind}-line").format(line=words[whose])
    if whose in SEATS:
        return words.get(f"zone_{kind}-seat").format(seat=words.seat(whose))
    return words.get(f"zone_{zone}")


def part_name(words: Words, what: str) -> str:
    """Name of what a table's health event is about: zone, sensor, node, camera, journal, disk.

    ``what`` as ``hw.coverage.covered`` takes it: ``beam:N:stock``, ``NODE/scale:stock``, ``camera``, a zone, a node.

    >>> from table_service.console.vocabulary import Words
    >>> part_name(Words("it"), "west/scale:stock")
    'bilancia: tallone (centralina «west»)'
    >>> part_name(Words("en"), "/dev/ttyACM0")
    'sensor node “ttyACM0”'
    """
    what = what.removeprefix("/dev/")
    named = _known(words, what)
    if named is not None:
        return named
    node, mark, part = what.rpartition("/")
    if mark:
        of_node = _known(words, part)
        if of_node is not None:
            return words.say("part_of_node", part=of_node, name=node)
    return words.say("part_node", name=what)


def _known(words: Words, what: str) -> str | None:
    """Return ``what`` as a part that has a name of its own, a sensor or a zone; None for a node."""
    own = words.get(f"part_{what}")
    if own:
        return own
    kind, mark, rest = what.replace(" ", ":", 1).partition(":")
    if mark and f"sensor_{kind}" in PARTS:
        return words.say(f"sensor_{kind}", where=", ".join(_place(words, one) for one in rest.split(":")))
    return _zone(words, what) or None


def _place(words: Words, code: str) -> str:
    """Name of a sensor's place: seat, zone, or a part of the screen."""
    if code in SEATS:
        return words.seat(code)
    return words.get(f"part_{code}") or zone_name(words, code)
