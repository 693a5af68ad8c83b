"""An event as one sentence for people. Cards it names are public; of a drawn card nothing is ever said."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hw.seats import LINES
from table_service.console.part_names import part_name
from table_service.console.times import local
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One line of the feed: who, what, and the cards that all could see."""

    place: str
    time: str
    kind: str
    seat: str | None
    text: str
    cards: tuple[str, ...]
    late: bool
    confidence: float
    weight: str


_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "round.started": ("Comincia l’incontro", "The round begins"),
    "round.resumed": (
        "Il tavolo è ripartito e continua l’incontro",
        "The table has restarted and goes on with the round",
    ),
    "round.seated": ("Posti assegnati", "Seats assigned"),
    "round.timeout": ("Il tempo dell’incontro è finito", "The time of the round is up"),
    "round.ended": ("L’incontro è finito", "The round is over"),
    "deal.started": ("Smazzata {n}: dà le carte {dealer}", "Deal {n}: {dealer} deals"),
    "deal.checked": ("Carte contate: tutto in ordine", "Cards counted: all in order"),
    "deal.faulty": ("Carte contate: il numero non torna", "Cards counted: a number is wrong"),
    "turn.started": ("Tocca a {who}", "{who} is on turn"),
    "event.retracted": ("Come non detto: letto meglio dopo", "Taken back: read better later"),
    "card.named": ("Carta riconosciuta", "Card identified"),
    "deal.ended.time-out": ("Tempo scaduto: la smazzata è finita", "Time is up: the deal is over"),
    "deal.ended.stopped": ("L’arbitro sospende la smazzata", "The arbitro stops the deal"),
    "deal.ended.passed": ("Tutti passano: la smazzata è finita", "All pass: the deal is over"),
    "deal.ended.played": ("Giocata fino in fondo: la smazzata è finita", "Played out: the deal is over"),
    "score.counted": ("Contato: {totals}", "Counted: {totals}"),
    "irregularity.open": ("{offender}: {title}", "{offender}: {title}"),
    "irregularity.healed": ("Sanata dal gioco: {title} ({offender})", "Healed by play: {title} ({offender})"),
    "irregularity.ruled": ("Decisa: {title} ({offender})", "Ruled: {title} ({offender})"),
    "irregularity.dismissed": ("Archiviata: {title} ({offender})", "Dismissed: {title} ({offender})"),
    "sheet.confirmed": ("{who} conferma lo score", "{who} confirms the score"),
    "sheet.disputed": ("{who} non concorda con lo score", "{who} does not agree with the score"),
    "sheet.written": ("Score scritto inserito da {by}", "Written sheet entered by {by}"),
    "sheet.corrected": ("Score corretto da {by}: {reason}", "Score corrected by {by}: {reason}"),
    "ruling.reversed": ("Decisione revocata da {by}: {title}", "Ruling reversed by {by}: {title}"),
    "round.ruled": ("Decisione sul turno: {title}", "Ruling on the round: {title}"),
    "warning.given": ("Ammonizione a {line}", "Warning to {line}"),
    "sanction.imposed": ("Da osservare: {text}", "To be kept: {text}"),
    "sanction.served": ("Osservata: {text}", "Kept: {text}"),
    "sanction.broken": ("Non osservata: {text}", "Not kept: {text}"),
    "referee.called": ("{who} chiama l’arbitro", "{who} calls the arbitro"),
    "table.health.lost": ("Il tavolo non sente più: {what}", "The table no longer senses: {what}"),
    "table.health.lost.tags": (
        "Le etichette lette non sono quelle del mazzo registrato: controllare il file delle etichette",
        "The tags that are read are not those of the enrolled pack: check the tags file",
    ),
    "table.health.ok.tags": (
        "Le etichette lette sono di nuovo quelle del mazzo registrato",
        "The tags that are read are those of the enrolled pack again",
    ),
    "table.health.ok.order": (
        "Dal prossimo turno: chi scambia solo carte chiude la smazzata",
        "From the next turn on: turns in which cards are only exchanged end the deal",
    ),
    "table.health.unverified.deal": (
        "Le carte vengono raccolte, e nessuno ha visto la fine della smazzata",
        "The cards are being gathered, and no end of the deal was seen",
    ),
    "table.health.ok.correct": ("Correzione registrata: {note}", "Correction entered: {note}"),
    "table.health.ok.said": ("Dichiarazione registrata – {note}", "Declaration entered – {note}"),
    "table.health.ok": ("Il tavolo sente di nuovo: {what}", "The table senses again: {what}"),
    "table.health.reset": ("Sensore ripartito: {what}", "Sensor restarted: {what}"),
    "table.health.unverified": ("Da verificare: {what}", "Unverified: {what}"),
    "table.health.verified": ("Verificato: {what}", "Verified: {what}"),
    "table.health.ignored": ("Un comando è rimasto senza effetto", "An order had no effect"),
}
_VARIANT: Final[dict[str, str]] = {
    "deal.ended": "manner",
    "irregularity": "state",
    "table.health": "state",
}
_HEAVY: Final = frozenset({"irregularity", "referee.called", "sanction.broken", "warning.given", "sheet.disputed"})
_MARKS: Final = frozenset({"deal.started", "deal.ended", "score.counted", "round.started", "round.ended"})


_CARDS: Final[dict[str, Callable[[Data], Any]]] = {
    "card.named": lambda d: d.get("cards"),
    "irregularity": lambda d: d.get("cards") if d.get("state") == "open" else (),
}
"""Where an event that all games have names public cards; where a game's own does, the game says."""


def tell(event: Data, words: Words) -> FeedLine:
    """``event`` (an envelope as JSON) as a line, in the words of its game; a type not known is told by its name."""
    game = words.game
    kind = str(event.get("type"))
    data = event.get("data")
    data = data if isinstance(data, dict) else {}
    seat = event.get("seat")
    key = _sentence_key(kind, data, {**_VARIANT, **game.variants}, {*_SENTENCES, *game.sentences})
    pair = game.sentences.get(key) or _SENTENCES.get(key) or game.sentences.get(kind)
    text = kind if pair is None else words.choose(pair).format(**_terms(event, data, words))
    named = game.cards.get(kind) or _CARDS.get(kind)
    confidence = event.get("confidence")
    return FeedLine(
        place=f"{event.get('boot')}-{event.get('seq')}",
        time=local(event.get("time")),
        kind=kind.replace(".", "-"),
        seat=seat if isinstance(seat, str) else None,
        text=text[:1].upper() + text[1:],
        cards=() if named is None else as_cards(named(data)),
        late=event.get("late") is True,
        confidence=float(confidence) if isinstance(confidence, (int, float)) else 1.0,
        weight=_weight(kind, data),
    )


def _weight(kind: str, data: Data) -> str:
    """Emphasis of a line: ``heavy`` calls for the arbitro, ``settled`` is settled, ``mark`` divides the evening."""
    if kind == "irregularity" and data.get("state") != "open":
        return "settled"
    return "heavy" if kind in _HEAVY else "mark" if kind in _MARKS else ""


def _sentence_key(kind: str, data: Data, variants: Mapping[str, str], known: Container[str]) -> str:
    if kind == "deal.checked" and data.get("faults"):
        return "deal.faulty"
    if kind not in variants:
        return kind
    key = f"{kind}.{data.get(variants[kind])}"
    special = f"{key}.{data.get('what')}"
    return special if special in known else key


def _total(data: Data, line: str) -> str:
    lines = data.get("lines")
    own = lines.get(line) if isinstance(lines, dict) else None
    total = own.get("total") if isinstance(own, dict) else None
    return "?" if total is None else str(total)


def _terms(event: Data, data: Data, words: Words) -> dict[str, str]:
    who = event.get("seat") or event.get("line") or data.get("line")
    return {
        "who": words.who(who),
        "n": str(data.get("n", "?")),
        "dealer": words.seat(data.get("dealer")),
        "line": words.who(data.get("line")),
        "offender": words.who(data.get("offender")),
        "title": words.text(data.get("title")) or str(data.get("row", "")),
        "text": words.text(data.get("text")) or str(data.get("do", "")),
        "what": part_name(words, str(data.get("what", ""))),
        "note": str(data.get("note") or "?"),
        "by": str(data.get("by") or ""),
        "reason": words.reason(str(data.get("reason") or "")),
        "totals": ", ".join(f"{words[line]} {_total(data, line)}" for line in LINES),
    }
