"""Faults of a sensor: a code for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "absent": ("non risponde: {why}", "does not answer: {why}"),
    "stale": (
        "ha file vecchi: lancia «tavolo node update»",
        "carries old files: run 'tavolo node update'",
    ),
    "trouble": ("segnala un guasto: {why}", "reports a trouble: {why}"),
    "dead": ("non ha mai risposto", "never answered"),
    "swapped": (
        "ha risposto {by} al suo posto: fili scambiati?",
        "{by} answered in its place: are wires crossed?",
    ),
    "misses": ("ha mancato {missed} volte su {times}", "missed {missed} of {times}"),
    "bounces": ("ha risposto due volte {bounced} volte su {times}", "answered twice {bounced} times of {times}"),
    "ghosts": (
        "{by} ha risposto {count} volte insieme a lei: spire troppo vicine?",
        "{by} answered {count} times with it: are the coils too near?",
    ),
    "weak": (
        "legge la carta ferma solo per il {share:.0%} del tempo: accordo o campo da rivedere",
        "reads a card at rest only {share:.0%} of the time: tune it, or its field is weak",
    ),
    "detuned": (
        "ha {number:g} ohm a 13,56 MHz invece di circa 24: cambia i condensatori di accordo",
        "shows {number:g} ohms at 13.56 MHz instead of about 24: change the tuning capacitors",
    ),
    "tag-at-rest": (
        "legge una carta sul tavolo vuoto: ce n’è una dimenticata?",
        "reads a card on the empty table: has one been left there?",
    ),
    "broken-at-rest": (
        "vede una mano che non c’è: coperta, disallineata o invertita",
        "sees a hand that is not there: blocked, out of line or inverted",
    ),
    "stuck": (
        "resta interrotta anche quando la mano va e viene: coperta o disallineata",
        "stays broken whether a hand comes or goes: blocked or out of line",
    ),
    "inverted": (
        "dice il contrario del vero: mettila fra le «inverted» della scheda",
        "says the opposite of the truth: put it among the board's 'inverted'",
    ),
    "flapping": (
        "vede {count} mani mentre nessuno tocca il tavolo: diafonia con una vicina?",
        "sees {count} hands while nobody touches the table: cross-talk from a neighbour?",
    ),
    "edge-silent": (
        "la mano arriva senza che nessun bordo la veda: guarda la barriera del bordo {seat}",
        "the hand comes unseen by any edge: look at the barrier along {seat}'s edge",
    ),
    "place-silent": (
        "il bordo vede la mano, il posto no: guarda la barriera di «{place}»",
        "the edge sees the hand and the place does not: look at the barrier across '{place}'",
    ),
    "blinded": (
        "non si può giudicare finché {by} resta interrotta",
        "cannot be judged while {by} stays broken",
    ),
    "over-at-rest": (
        "risulta rovesciato mentre è in piedi: insegnagli la posizione (upright)",
        "counts as turned over while it stands: teach it what upright is",
    ),
    "pressed-at-rest": ("è premuto senza che nessuno lo tocchi", "is pressed while nobody touches it"),
    "false-knocks": ("{count} bussate che nessuno ha dato", "{count} knocks that nobody gave"),
    "silent-scale": ("non manda pesate", "sends no readings"),
    "restless": ("non si ferma mai sul tavolo vuoto", "never comes to rest on the empty table"),
    "not-zero": (
        "segna {grams:.1f} g a piatto vuoto: fai la tara",
        "says {grams:.1f} g with nothing on it: set its zero",
    ),
    "noisy": ("oscilla di {grams:.2f} g da ferma", "wavers by {grams:.2f} g at rest"),
    "drifting": ("deriva di {grams:.2f} g al minuto", "drifts {grams:.2f} g a minute"),
    "uncalibrated": (
        "segna {grams:.1f} g per {weight:g} g: calibrala (counts_per_kg per {factor:.3f})",
        "says {grams:.1f} g for {weight:g} g: calibrate it (counts_per_kg times {factor:.3f})",
    ),
    "upside-down": ("pesa al contrario: la cella è montata capovolta", "weighs backwards: its cell is upside down"),
    "slow": (
        "dà {rate:.0f} pesate al secondo: l’HX711 è su 10, il ponticello lo porta a 80",
        "gives {rate:.0f} readings a second: its HX711 is set to 10, a jumper makes it 80",
    ),
    "corner-load": (
        "in un angolo pesa {grams:+.1f} g rispetto al centro ({corner}): il piatto tocca, o la cella è sbagliata",
        "weighs {grams:+.1f} g at a corner against the middle ({corner}): the plate touches, or it is the wrong cell",
    ),
    "creep": (
        "il peso fermo cambia di {grams:+.1f} g al minuto",
        "a weight at rest changes by {grams:+.1f} g a minute",
    ),
    "no-return": (
        "tolto il peso segna {grams:+.1f} g invece di zero",
        "says {grams:+.1f} g instead of zero once the weight is off",
    ),
    "no-picture": ("non dà immagini: {why}", "gives no pictures: {why}"),
    "cover-unnoticed": ("coperta, nessuno se ne è accorto", "was covered and nobody noticed"),
    "still-covered": ("risulta ancora coperta a obiettivo libero", "stays covered though the lens is free"),
    "unlocked": ("{why}", "{why}"),
    "markers": (
        "si vedono {count} marcatori su {wanted}: {why}",
        "{count} of {wanted} markers can be seen: {why}",
    ),
    "by-cards": ("la taratura con le carte non va: {why}", "the calibration by cards does not do: {why}"),
    "no-rim": (
        "il bordo del tavolo non si distingue: se qualcuno sposta la telecamera, nessuno se ne accorge",
        "cannot make out the table's edge: a camera that is pushed is not noticed",
    ),
    "residual": ("i marcatori non tornano per {mm:.1f} mm", "the markers are {mm:.1f} mm off their places"),
    "blurred": (
        "è sfocata: un bordo netto si allarga su {px:.1f} pixel al marcatore {marker}",
        "is out of focus: a sharp edge spreads over {px:.1f} pixels at marker {marker}",
    ),
    "coarse-index": (
        (
            "mostra {px:.2f} pixel per millimetro nel punto peggiore ({place}) e per leggere gli indici ne servono "
            "{needed:.2f}: avvicinala, inquadra solo il tavolo, o dalle più pixel (width e height)"
        ),
        (
            "shows {px:.2f} pixels a millimetre at the worst place ({place}), and to read indices takes "
            "{needed:.2f}: hang it nearer, let it see the table alone, or give it more pixels (width and height)"
        ),
    ),
    "coarse-face": (
        (
            "mostra {px:.2f} pixel per millimetro nel punto peggiore ({place}) e per leggere carte senza indice ne "
            "servono {needed:.2f}: avvicinala, inquadra solo il tavolo, o dalle più pixel (width e height)"
        ),
        (
            "shows {px:.2f} pixels a millimetre at the worst place ({place}), and to read cards without an index takes "
            "{needed:.2f}: hang it nearer, let it see the table alone, or give it more pixels (width and height)"
        ),
    ),
    "uneven": (
        "la luce è disuguale: {place} riceve il {share:.0%} del punto più chiaro",
        "the light is uneven: {place} gets {share:.0%} of the brightest place",
    ),
    "flicker": ("la luce sfarfalla del {share:.0%}", "the light flickers by {share:.0%}"),
    "glare": (
        "il {share:.1%} del panno è abbagliato, presso {place}",
        "{share:.1%} of the cloth is glaring, near {place}",
    ),
    "cards-missed": ("ha mancato {missed} carte su {times}", "missed {missed} cards of {times}"),
    "cards-misread": ("ha letto male {count} carte su {times}", "misread {count} cards of {times}"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one sensor. ``values`` fill in its sentence."""

    code: str
    sensor: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def sentence(self, *, italian: bool) -> str:
        """Return the fault in one sentence."""
        text = SENTENCES[self.code][0 if italian else 1].format(**self.values)
        return f"{self.sensor}: {text}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return {"code": self.code, "sensor": self.sensor, "values": dict(self.values)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Finding:
        """Return a finding from ``to_dict``'s values. Raises KeyError for anything else."""
        code = str(data["code"])
        if code not in SENTENCES:
            raise KeyError(code)
        return cls(code, str(data["sensor"]), dict(data.get("values") or {}))
