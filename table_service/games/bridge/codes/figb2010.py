"""The catalogue of bridge with screens: a row for each fact that the judges name, in our own words.

``FIGB-n`` are the patterns of the norms' worked examples, ``A4-…`` points of their appendix 4, ``NI-…`` other norms,
``law-n`` articles of the Code of 2007, of which only the number and a sentence of ours is given.
"""

from __future__ import annotations

from typing import Final

from table_service.games.bridge.judges.verdict import EDITION
from table_service.referee.catalogue import (
    Catalogue,
    Choice,
    Row,
    Sense,
    Severity,
    StepRule,
    Words,
    catalogue_of,
)
from table_service.referee.row_writing import choice, fault, step

RULES: Final = "bridge"
CODE_EDITION: Final = EDITION
"""The Code that the norms stand on; rows of the edition of 2017 never stand among these."""
UNCONFIRMED: Final = frozenset(
    {
        "law-13",
        "law-15",
        "law-24",
        "law-24-auction",
        "law-61-lead",
        "law-38",
        "law-39",
        "law-44",
        "law-52",
        "law-57",
        "law-61",
        "law-65",
        "law-68",
    }
)
"""Rows whose law was read in the edition of 2017, or is only generally known: the event says so."""

_TRAY: Final[tuple[Sense, ...]] = ("camera", "derived")
_CARDS: Final[tuple[Sense, ...]] = ("camera", "gate")


def _row(
    name: str,
    article: str,
    title: Words,
    severity: Severity,
    *steps: StepRule,
    senses: tuple[Sense, ...] = _TRAY,
    choices: tuple[Choice, ...] = (),
    options: tuple[str, ...] = (),
    judged: bool = False,
) -> Row:
    return fault(name, article, title, senses, *steps, *choices, severity=severity, needs_referee=judged,
        options=options)  # fmt: skip


_GOES_ON: Final = step("nothing", "table", "La licita prosegue senza rettifica.",
    "The auction goes on without rectification.")  # fmt: skip
_WATCH: Final = step("referee", "arbitro",
    "Dopo il gioco si guarda se ne ha tratto vantaggio chi l'ha passata (art. 23).",
    "After the play it is looked at whether who passed it has gained by it (law 23).")  # fmt: skip
_CHANGE: Final = step("take-back", "offender",
    "La chiamata si cambia con una regolare; dall'altra parte non si dice nulla.",
    "The call is changed for a lawful one; nothing is said on the other side.")  # fmt: skip
_CORRECT: Final = step("take-back", "offender", "La chiamata si corregge in ogni caso, anche se passata.",
    "The call is corrected in any case, even if it was passed.")  # fmt: skip
_JUDGE: Final = step("referee", "arbitro", "Decide l'arbitro.", "The arbitro decides.")
_29A: Final = choice("29A", "next-opponent", "Chi segue la accetta chiamando: vale, e la licita prosegue.",
    "The next opponent accepts it by calling: it stands.")  # fmt: skip
_31: Final = choice("31", "next-opponent", "Non è accettata: si torna a chi era di turno e il compagno passa sempre.",
    "It is not accepted: the auction returns to whose turn it was, and the partner passes on.")  # fmt: skip
_BY_31A: Final = (
    _29A,
    choice("31A1", "next-opponent", "Non accettata, e chi era di turno passa: la licita si ripete, senza altro.",
        "Not accepted, and who was to call passes: the bid is made again, nothing more."),
    choice("31A2a", "offender", "Chi era di turno ha agito, la denominazione è la stessa: il compagno passa una volta.",
        "Who was to call has acted, the strain is the same: the partner passes once."),
    choice("31A2b", "offender", "Chi era di turno ha agito, la chiamata è un'altra: il compagno passa sempre (26, 23).",
        "Who was to call has acted, the call is another: the partner passes on (26, 23)."),
    _31,
)  # fmt: skip
_BY_31B: Final = (
    _29A,
    choice("31B", "offender", "Non accettata: al suo turno chiama ciò che vuole, il compagno passa sempre (26, 23).",
        "Not accepted: he calls as he likes at his turn, the partner passes on (26, 23)."),
    _31,
)  # fmt: skip
_BY_30: Final = (
    _29A,
    choice("30A", "offender", "Nessuno aveva licitato: al suo turno chi ha passato passa.",
        "Nobody had bid: the offender passes at his next turn."),
    choice("30B1", "offender", "Al turno di chi precede: quando tocca a lui passa, senza altro.",
        "At the right-hand opponent's turn: he passes at his turn, nothing more."),
    choice("30B2", "offender", "Al turno del compagno: il compagno passa sempre, e a quel turno non contra (23).",
        "At the partner's turn: the partner passes on, and may not double at that turn (23)."),
    choice("30B3", "offender", "Al turno di chi segue: è un cambio di chiamata (25).",
        "At the left-hand opponent's turn: it is a change of call (25)."),
)  # fmt: skip
_BY_32: Final = (
    _29A,
    choice("32A1", "next-opponent", "Non accettato, e chi era di turno passa: si ripete, senza altro.",
        "Not accepted, and who was to call passes: it is made again, nothing more."),
    choice("32A2", "offender", "Chi era di turno ha agito: chiama quel che può, il compagno passa sempre (26, 23).",
        "Who was to call has acted: any lawful call, and the partner passes on (26, 23)."),
    choice("32B", "offender", "Al turno del compagno o di chi segue: il compagno passa sempre (26, 23).",
        "At the partner's or the left-hand opponent's turn: the partner passes on (26, 23)."),
)  # fmt: skip


def _accepted(name: str, it: str, en: str, article: str = "app. 4, 4a(ii); 29A") -> Row:
    title = Words(f"{it}, passata da un avversario", f"{en}, passed by an opponent")
    return _row(name, article, title, "note", _GOES_ON, _WATCH)


def _by_the_code(name: str, part: str, it: str, en: str) -> Row:
    title = Words(f"{it}, passata dal colpevole", f"{en}, passed by the offender")
    choices = _BY_31A if part == "31A" else _BY_31B
    return _row(name, f"app. 4, 4a; {part}", title, "play-stops", _JUDGE, choices=choices)


def _both(name: str, it: str, en: str) -> Row:
    title = Words(f"{it}: l'avversario ci chiama sopra e il colpevole la passa", f"{en}: called over, then passed")
    watch = step("referee", "arbitro",
        "Il caso non è previsto: si prosegue, e l'art. 23 si valuta per entrambe le linee.",
        "The case is not covered: play goes on, and law 23 is weighed for both lines.")  # fmt: skip
    return _row(name, "app. 4, 4a-4b", title, "note", _GOES_ON, watch, judged=True)


_LEADS: Final = (
    _row("FIGB-1", "app. 4, 4c",
        Words("Attacco fuori turno a sipario chiuso", "Lead out of turn, the aperture closed"), "play-stops",
        step("take-back", "offender", "L'attacco si ritira, senza altro.", "The lead is withdrawn, nothing else."),
        step("nothing", "table", "Attacca chi doveva.", "Who was to lead leads."), senses=_CARDS),
    _row("FIGB-2", "app. 4, 4c(ii); 54B1, 53, 41",
        Words("Attacco fuori turno, aperto dalla linea del dichiarante",
            "Lead out of turn, opened by declarer's side"), "play-stops",
        step("nothing", "table",
            "L'attacco è accettato, il dichiarante resta tale e gioca la seconda carta dalla sua mano.",
            "The lead is accepted; declarer stays declarer and plays the second card from the own hand."), _WATCH,
        senses=_CARDS),
    _row("FIGB-3", "47E1; 23, 16D",
        Words("Attacco fuori turno indotto da un silenzio", "Lead out of turn that a silence has brought about"),
        "play-stops",
        step("take-back", "offender", "La carta torna in mano senza rettifica, e non può essere accettata.",
            "The card goes back without rectification, and may not be accepted.", cards=True), _WATCH,
        senses=("person",), judged=True),
    _row("FIGB-4", "app. 4, 4c(i); 54",
        Words("Attacco fuori turno, aperto senza colpa del dichiarante",
            "Lead out of turn, opened by no fault of declarer"), "play-stops", _JUDGE, senses=_CARDS,
        choices=(
            choice("54A", "next-opponent", "Il dichiarante stende e fa il morto: gioca il compagno.",
                "Declarer spreads and is dummy: his partner plays."),
            choice("54B", "next-opponent", "Il dichiarante accetta: l'attacco vale, scende il morto.",
                "Declarer accepts: the lead stands, dummy comes down."),
            choice("54C", "next-opponent", "Ha potuto vedere una carta del morto: deve accettare.",
                "He could see a card of dummy: he must accept."),
            choice("54D", "next-opponent", "Rifiuta: la carta è penalizzata maggiore.",
                "He refuses: the card is a major penalty card.")), options=("FIGB-2", "FIGB-3")),
    _row("FIGB-5", "app. 4, 4c(iii); 58A, 50D",
        Words("Due attacchi scoperti dei difensori", "Both defenders have faced a lead"), "play-stops",
        step("expose", "offender", "L'attacco giusto vale; l'altra carta è penalizzata maggiore.",
            "The right lead stands; the other card is a major penalty card.", cards=True), senses=_CARDS),
)  # fmt: skip
_CALLS: Final = (
    _row("A4-2a", "app. 4, 2a, 4b",
        Words("Chiamata irregolare non ancora passata", "Irregular call that was not passed yet"), "play-stops",
        _CHANGE),
    _accepted("FIGB-6", "Licita insufficiente", "Insufficient bid", "app. 4, 4a(ii); 29A, 27A"),
    _row("FIGB-7", "app. 4, 4a; 27",
        Words("Licita insufficiente passata dal colpevole", "Insufficient bid passed by the offender"), "play-stops",
        _JUDGE,
        choices=(
            choice("27A", "next-opponent", "Chi segue accetta: vale, e la licita prosegue.",
                "The next opponent accepts: it stands, the auction goes on."),
            choice("27B1a", "offender", "La stessa denominazione, quanto basta: il compagno non deve passare.",
                "The same strain, just enough: the partner need not pass."),
            choice("27B1b", "offender",
                "Una chiamata dello stesso significato, o più preciso: il compagno non deve passare.",
                "A call that means the same, or more precisely: the partner need not pass."),
            choice("27B2", "offender", "Un'altra: il compagno passa fino alla fine.",
                "Another: the partner passes on."))),
    _both("FIGB-8", "Licita insufficiente", "Insufficient bid"),
    _accepted("FIGB-9", "Licita al turno di chi precede", "Bid at the right-hand opponent's turn"),
    _by_the_code("FIGB-10", "31A", "Licita al turno di chi precede", "Bid at the right-hand opponent's turn"),
    _accepted("FIGB-11", "Licita al turno di chi segue", "Bid at the left-hand opponent's turn"),
    _by_the_code("FIGB-12", "31B", "Licita al turno di chi segue", "Bid at the left-hand opponent's turn"),
    _both("FIGB-13", "Licita fuori turno", "Bid out of turn"),
    _accepted("FIGB-14", "Licita fuori turno su cui l'avversario chiama", "Bid out of turn that was called over"),
    _accepted("FIGB-15", "Licita al turno del compagno", "Bid at the partner's turn"),
    _by_the_code("FIGB-16", "31B", "Licita al turno del compagno", "Bid at the partner's turn"),
    _row("law-27", "27", Words("Licita insufficiente", "Insufficient bid"), "play-stops", _JUDGE, judged=True),
    _row("law-30", "30", Words("Passo fuori turno", "Pass out of turn"), "play-stops", _JUDGE, choices=_BY_30),
    _row("law-31", "31", Words("Licita fuori turno", "Bid out of turn"), "play-stops", _JUDGE, judged=True),
    _row("law-32", "32", Words("Contro o surcontro fuori turno", "Double or redouble out of turn"), "play-stops",
        _JUDGE, choices=_BY_32),
    _row("law-36", "35, 36", Words("Contro o surcontro inammissibile", "Inadmissible double"), "play-stops", _CORRECT),
    _row("law-37", "35, 37", Words("Chiamata di chi deve passare", "Call by a player who must pass"), "play-stops",
        _CORRECT),
    _row("law-38", "35, 38", Words("Licita oltre il sette", "Bid of more than seven"), "play-stops", _CORRECT),
    _row("law-39", "35, 39", Words("Chiamata a licita finita", "Call after the final pass"), "play-stops", _CORRECT),
)  # fmt: skip
_BACK: Final = step("take-back", "offender",
    "Se non è accettata, la carta torna in mano; di un difensore resta scoperta.",
    "If it is not accepted the card goes back; a defender's stays face up.", cards=True)  # fmt: skip
_SUITS: Final = (
    ("S", "picche", "spades"),
    ("H", "cuori", "hearts"),
    ("D", "quadri", "diamonds"),
    ("C", "fiori", "clubs"),
)
_LEAD_CHOICES: Final = (
    *(choice(f"require-{one}", "next-opponent", f"Esige {it}.", f"He requires {en}.") for one, it, en in _SUITS),
    *(choice(f"forbid-{one}", "next-opponent", f"Vieta {it}.", f"He forbids {en}.") for one, it, en in _SUITS),
)
_BOARD: Final = (
    _row("law-13", "13", Words("Mani con un numero sbagliato di carte", "Hands with a wrong number of cards"),
        "play-stops", _JUDGE, senses=("scale",), judged=True),
    _row("law-15", "15",
        Words("Non è il board di questo tavolo: girato, o un altro",
            "Not this table's board: laid turned, or another"), "note", _JUDGE, senses=("camera", "derived"),
        judged=True),
)  # fmt: skip
_DUTIES: Final = (
    _row("law-24-auction", "24", Words("Carta scoperta durante la licita", "Card exposed during the auction"), "note",
        step("expose", "offender", "Di un difensore resta scoperta.", "A defender's stays face up.", cards=True),
        senses=_CARDS,
        choices=(
            choice("24A", "arbitro", "Una sola, sotto l'onore: la licita prosegue.", "One small card: nothing more."),
            choice("24B", "arbitro", "Un onore, o più carte: il compagno passa al suo prossimo turno.",
                "An honour, or several: the partner passes at the next turn."))),
    _row("law-26", "26", Words("Limiti d'attacco dopo una chiamata ritirata", "Lead limits after a withdrawn call"),
        "play-stops", _JUDGE, senses=("person",),
        choices=(*_LEAD_CHOICES, choice("neither", "next-opponent", "Nessuno dei due.", "Neither."))),
    _row("law-50D2", "50D2",
        Words("Esce il compagno di chi ha una carta penalizzata maggiore",
            "Lead by the partner of a major penalty card"), "play-stops", _JUDGE, senses=_CARDS,
        choices=(*_LEAD_CHOICES,
            choice("neither", "next-opponent", "Nessuno dei due: la carta resta.", "Neither: the card stays."))),
    _row("law-61-lead", "61A; 26, 50D2",
        Words("Uscita o giocata contro quanto richiesto o vietato",
            "Lead or play against what was required or forbidden"), "score", _JUDGE, senses=_CARDS,
        choices=(
            choice("corrected", "arbitro", "Non è consumata: non costa prese.", "It is not established: no tricks."),
            choice("established", "arbitro", "È consumata: costa come una renonce.", "It is: it costs as a revoke.")),
        judged=True),
)  # fmt: skip
_PLAY: Final = (
    _row("law-24", "24",
        Words("Carta della linea del dichiarante prima del gioco", "Card of declarer's side before the play"), "note",
        _JUDGE, senses=_CARDS),
    _row("law-41", "41A", Words("Attacco coperto fuori turno", "Lead face down out of turn"), "play-stops",
        step("take-back", "offender", "Si ritira per ordine dell'arbitro.", "Withdrawn by the arbitro's order."),
        senses=_CARDS),
    _row("law-44", "44",
        Words("Carta che il diagramma dà a un'altra mano", "Card that the record gives to another hand"), "note",
        _JUDGE, senses=_CARDS, judged=True),
    _row("law-52", "52", Words("Carta penalizzata non giocata", "Penalty card not played"), "play-stops",
        step("take-back", "offender", "Il dichiarante accetta l'altra carta, o questa si riprende e resta scoperta.",
            "Declarer accepts the other card, or it is taken back and stays face up.", cards=True), senses=_CARDS),
    _row("law-55", "55",
        Words("Uscita del dichiarante fuori turno o dalla mano sbagliata",
            "Declarer's lead out of turn, or from the wrong hand"), "play-stops", _BACK, senses=_CARDS),
    _row("law-56", "56, 53, 50D", Words("Uscita di un difensore fuori turno", "Defender's lead out of turn"),
        "play-stops", _BACK, senses=_CARDS),
    _row("law-57", "57", Words("Giocata prima del proprio turno", "Play before one's turn"), "play-stops", _BACK,
        senses=_CARDS,
        choices=(
            choice("highest", "next-opponent", "Esige la più alta del seme.", "He requires the highest of the suit."),
            choice("lowest", "next-opponent", "Esige la più bassa del seme.", "He requires the lowest of the suit."),
            *_LEAD_CHOICES, choice("neither", "next-opponent", "Nessuna richiesta.", "He asks for nothing."))),
    _row("law-58", "58", Words("Due carte della stessa mano in una presa", "Two cards of one hand in a trick"),
        "play-stops", _BACK, senses=_CARDS),
    _row("law-61", "61-64", Words("Renonce", "Revoke"), "score",
        step("take-back", "offender", "Finché non è consumata si corregge; la carta di un difensore resta scoperta.",
            "Until it is established it is corrected; a defender's card stays face up.", cards=True,
            option="corrected"),
        step("score", "line", "Consumata, costa una o due prese di quelle vinte da allora.",
            "Established, it costs one or two of the tricks won from then on.", option="established"), senses=_CARDS,
        choices=(
            choice("corrected", "arbitro", "Non è consumata: si corregge, e non costa prese.",
                "It is not established: it is corrected and costs no trick."),
            choice("established", "arbitro", "È consumata: non si corregge, e costa le prese dell'art. 64.",
                "It is established: it stands and costs the tricks of law 64."))),
    _row("law-65", "65", Words("Carta girata nel verso sbagliato", "Card turned in the wrong direction"), "note",
        step("nothing", "table", "Il conto delle prese segue le carte, non il verso dei dorsi.",
            "The count of tricks follows the cards, not the direction of the backs."), senses=_CARDS),
    _row("law-67", "67", Words("Presa in cui manca una carta", "Trick that lacks a card"), "play-stops", _JUDGE,
        senses=_CARDS),
)  # fmt: skip
_NOTES: Final = (
    _row("NI-18.3", "18.3",
        Words("Salto senza STOP, o chiamata prima di dieci secondi",
            "Jump without STOP, or a call within ten seconds"), "note", _JUDGE),
    _row("A4-1", "app. 4, 1; 16",
        Words("Schermo o sipario aperto mentre la licita prosegue",
            "Screen or aperture open while the auction goes on"), "note",
        step("nothing", "table", "Si chiude, e la licita prosegue.", "It is closed, and the auction goes on."),
        _JUDGE, senses=("derived",)),
    _row("A4-3c", "app. 4, 3c",
        Words("Apertura richiusa durante il gioco: una domanda", "Aperture closed during the play: a question"),
        "note", step("nothing", "table", "Le domande si fanno per iscritto.", "Questions are put in writing."),
        senses=("derived",)),
    _row("A4-4f", "app. 4, 4e-4g; 16B", Words("Carrello oltre i venti secondi", "Tray later than twenty seconds"),
        "note",
        step("nothing", "table", "È una prova per chi riceve il carrello, fino all'attacco; non accusa nessuno.",
            "It is evidence for who receives the tray, until the lead; it accuses nobody."), senses=("derived",)),
    _row("law-23", "23; app. 4, 4a",
        Words("A fine gioco: chi l'ha passata ne ha tratto vantaggio?", "After the play: has who passed it gained?"),
        "note", _JUDGE, senses=("derived",), judged=True),
    _row("law-79", "79",
        Words("Risultato dichiarato diverso dalle prese giocate", "Stated result that differs from the tricks played"),
        "note", _JUDGE, senses=("derived",), judged=True),
    _row("law-25", "25; app. 4, 2", Words("Chiamata cambiata", "Call that was changed"), "note", _JUDGE,
        choices=(
            choice("25A", "arbitro", "Era involontaria, cambiata senza pausa: vale la nuova.",
                "It was unintended, changed without pause: the new one stands."),
            choice("25B", "arbitro", "È stata cambiata apposta: vale la prima, se chi segue non accetta la nuova.",
                "It was changed on purpose: the first stands, unless the next opponent accepts the new one.")),
        judged=True),
)  # fmt: skip
CATALOGUE: Final[Catalogue] = catalogue_of(RULES, (*_BOARD, *_LEADS, *_CALLS, *_DUTIES, *_PLAY, *_NOTES))
