"""Texts of `tavolo doctor`: names of what it examines, verdicts and findings, Italian first, English second."""

from __future__ import annotations

from typing import Final, Literal

Language = Literal["it", "en"]
NAMES: Final[dict[str, str]] = {
    "browser": "navigatore",
    "card reader": "lettore di carte",
    "disk": "disco",
    "machine": "macchina",
    "clock": "orologio",
    "camera": "telecamera",
    "bidding box": "cartellini",
    "senses": "sensori",
    "sealing": "sigillo",
}
"""The Italian names of what is examined; what is not here has the same name in both languages."""
VERDICTS: Final = {"ok": "ok", "missing": "manca", "bad": "guasto"}
FINDINGS: Final[dict[str, tuple[str, str]]] = {
    "no_micropython": (
        "non c’è ancora; serve solo a un tavolo simulato, e la demo se lo procura",
        "none yet; only a simulated table needs it, and the demo fetches one",
    ),
    "no_mosquitto": (
        "mosquitto non è installato; la demo usa al suo posto un broker incorporato",
        "mosquitto is not installed; the demo uses an embedded broker instead",
    ),
    "no_browser": ("Chromium non c’è; la pagina non viene provata", "no Chromium; the page is not tested"),
    "models": ("i modelli addestrati si caricano", "the trained models load"),
    "free": ("{free:.1f} GB liberi qui", "{free:.1f} GB free here"),
    "supply": (
        "L’alimentazione cala (sotto 4,63 V), USB e disco ne soffrono: un alimentatore più forte, un cavo più corto.",
        "The supply sags (below 4.63 V), USB devices and the disk may suffer: a stronger supply, a shorter cable.",
    ),
    "hot": (
        "Questa macchina è a {celsius:.0f} °C e rallenta: dalle aria.",
        "This machine is at {celsius:.0f} °C and slows down: give it air.",
    ),
    "not_there": ("{where} non c’è", "{where} is not there"),
    "no_picture": ("{where} non dà immagini", "{where} gives no picture"),
    "camera_gives": ("{where} dà {wide}x{high} pixel", "{where} gives {wide}x{high} pixels"),
    "picamera": ("Picamera2 si carica", "Picamera2 loads"),
    "no_camera": ("non ne è indicata nessuna", "none is named"),
    "no_port": (
        "{port} non c’è: la scheda è collegata, la regola udev installata?",
        "{port} is not there: is the board plugged in, the udev rule installed?",
    ),
    "silent": ("{port}: non risponde ({said})", "{port}: it does not answer ({said})"),
    "box_whole": ("{box}, ogni faccia è registrata", "{box}, every face enrolled"),
    "not_the_hall": (
        "{address} non è il broker della sala, o non cifra ({reason})",
        "{address} is not the hall's broker, or does not encrypt ({reason})",
    ),
    "no_broker": ("nessun broker risponde a {address} ({reason})", "no broker answers at {address} ({reason})"),
    "encrypted": ("{address}, cifrato", "{address}, encrypted"),
    "certificate": (
        "{address}, cifrato; il certificato di questo tavolo vale fino al {end:%d/%m/%Y}",
        "{address}, encrypted; this table's certificate holds until {end:%d/%m/%Y}",
    ),
    "certificate_over": (
        "{address}, cifrato; il certificato di questo tavolo valeva fino al {end:%d/%m/%Y}: chiedi un nuovo biglietto",
        "{address}, encrypted; this table's certificate holds until {end:%d/%m/%Y}: ask for a new card",
    ),
    "certificate_soon": (
        "{address}, cifrato; il certificato di questo tavolo vale fino al {end:%d/%m/%Y}: lo rifà 'tavolo hall renew'",
        "{address}, encrypted; this table's certificate holds until {end:%d/%m/%Y}: 'tavolo hall renew' makes one",
    ),
}


def say(language: Language, name: str, **values: object) -> str:
    """Return the finding called ``name`` in ``language``."""
    return FINDINGS[name][language == "en"].format(**values)
