"""The irregularities of the F.I.Bur. race code, edition of April 2024, that the table senses so far (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Catalogue, DutyRule, Row, StepRule, Words, catalogue_of

_STOP: Final = StepRule(
    "stop-play", "table", Words("Si ferma il gioco e si chiama l'arbitro.", "Play stops and the arbitro is called.")
)
_DRAW_AND_DISCARD: Final = Words(
    "Al suo prossimo turno pesca dal tallone e scarta, senza aprire né legare.",
    "At his next turn he draws from the stock and discards, and lays nothing.",
)
_COLLECT_AND_DISCARD: Final = Words(
    "Al suo prossimo turno raccoglie il monte degli scarti e scarta, senza aprire né legare.",
    "At his next turn he picks up the pile and discards, and lays nothing.",
)
_TAKE_AND_DISCARD: Final = Words(
    "Al suo prossimo turno pesca o raccoglie e scarta, senza aprire né legare.",
    "At his next turn he draws or picks up and discards, and lays nothing.",
)
_NEXT_DRAW: Final = DutyRule("limit-turn", _DRAW_AND_DISCARD, ("draw", "discard"), until="end-of-own-next-turn")
_NEXT_COLLECT: Final = DutyRule(
    "limit-turn", _COLLECT_AND_DISCARD, ("collect", "discard"), until="end-of-own-next-turn"
)
_NEXT_TAKE: Final = DutyRule(
    "limit-turn", _TAKE_AND_DISCARD, ("draw", "collect", "discard"), until="end-of-own-next-turn"
)
_BACK_TO_STOCK: Final = Words(
    "La carta torna sul tallone; se è già nel ventaglio l'arbitro ne estrae una a caso.",
    "The card goes back onto the stock; if it is in the fan already the arbitro takes one at random.",
)
_BACK_TO_PILE: Final = Words(
    "Le carte raccolte tornano sul monte degli scarti nello stesso ordine.",
    "The cards go back onto the discard pile in the same order.",
)
_SHOW_VICTIM: Final = StepRule(
    "show",
    "player-in-turn",
    Words(
        "L'arbitro mostra la carta all'avversario a cui toccava giocare.",
        "The arbitro shows the card to the opponent whose turn it was.",
    ),
    cards=True,
    only="victim-is-opponent",
)
_LIMIT_DRAW: Final = StepRule("limit-turn", "offender", _DRAW_AND_DISCARD, until="end-of-own-next-turn")
_LIMIT_COLLECT: Final = StepRule("limit-turn", "offender", _COLLECT_AND_DISCARD, until="end-of-own-next-turn")
_FREEZE_LONG: Final = StepRule(
    "freeze",
    "line",
    Words(
        "I giochi interessati restano congelati fino al turno successivo a quello limitato.",
        "The melds concerned stay frozen until the turn after the limited one.",
    ),
    until="turn-after-next",
)
_PENALISE_REST: Final = StepRule(
    "complete-or-penalise",
    "offender",
    Words(
        "Il gioco rimasto incompleto si completa con carte proprie, altrimenti le sue carte sono penalizzate.",
        "A meld left incomplete is completed from the own hand, otherwise its cards are penalised.",
    ),
    cards=True,
)
_REFEREE: Final = StepRule("referee", "arbitro", Words("Decide l'arbitro.", "The arbitro decides."))

_OUT_OF_TURN: Final = (
    Row(
        id="F-31a",
        article="31",
        title=Words("Pesca fuori turno, senza far gioco", "Draw out of turn, nothing played"),
        severity="play-stops",
        senses=("beam", "gate", "scale"),
        steps=(
            _STOP,
            _SHOW_VICTIM,
            StepRule("return-to-stock", "offender", _BACK_TO_STOCK, cards=True),
            _LIMIT_DRAW,
        ),
        duties=(DutyRule("return-to-stock", _BACK_TO_STOCK), _NEXT_DRAW),
    ),
    Row(
        id="F-31b",
        article="31",
        title=Words("Pesca fuori turno e apertura di un gioco", "Draw out of turn, then a meld opened"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            _STOP,
            StepRule("return-to-stock", "offender", _BACK_TO_STOCK, cards=True),
            _PENALISE_REST,
            _LIMIT_DRAW,
            _FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-stock", _BACK_TO_STOCK), _NEXT_DRAW),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-31c",
        article="31",
        title=Words("Pesca fuori turno e carta legata", "Draw out of turn, then a card added to a meld"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            _STOP,
            StepRule("return-to-stock", "offender", _BACK_TO_STOCK, cards=True),
            StepRule(
                "complete-or-penalise",
                "offender",
                Words(
                    "Le carte che dipendono da quella restano solo se la sostituisce dalla mano; altrimenti sono "
                    "penalizzate.",
                    "Cards that depend on it stay only if he replaces it from his hand; otherwise they are penalised.",
                ),
                cards=True,
            ),
            _LIMIT_DRAW,
            _FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-stock", _BACK_TO_STOCK), _NEXT_DRAW),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-31d",
        article="31",
        title=Words("Raccolta fuori turno, senza far gioco", "Pile picked up out of turn, nothing played"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(_STOP, StepRule("return-to-pile", "offender", _BACK_TO_PILE, cards=True), _LIMIT_COLLECT),
        duties=(DutyRule("return-to-pile", _BACK_TO_PILE), _NEXT_COLLECT),
    ),
    Row(
        id="F-31e",
        article="31",
        title=Words("Raccolta fuori turno con giochi aperti o legati", "Pile picked up out of turn, then cards laid"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            _STOP,
            StepRule("return-to-pile", "offender", _BACK_TO_PILE, cards=True),
            _PENALISE_REST,
            _LIMIT_COLLECT,
            _FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-pile", _BACK_TO_PILE), _NEXT_COLLECT),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-32",
        article="32",
        title=Words("Apertura o carta legata fuori turno", "Meld or addition out of turn"),
        severity="play-stops",
        senses=("beam", "camera"),
        steps=(
            _STOP,
            StepRule(
                "freeze",
                "line",
                Words(
                    "Il gioco è congelato fino al prossimo turno di chi lo ha fatto.",
                    "The meld is frozen until the next turn of the player who laid it.",
                ),
                until="own-next-turn",
                cards=True,
            ),
            StepRule("limit-turn", "offender", _TAKE_AND_DISCARD, until="end-of-own-next-turn"),
        ),
        duties=(_NEXT_TAKE,),
        freezes=True,
    ),
)

_EXPOSED: Final = Words(
    "Le carte esposte si giocano nel primo turno utile; quelle non giocate sono penalizzate e si scartano "
    "a fine gioco, dalla più alta.",
    "Exposed cards are played in the player's own turn; those not played are penalised and discarded at its end, "
    "highest first.",
)

_EXPOSURES: Final = (
    Row(
        id="F-24a",
        article="24",
        title=Words("Carta esposta al compagno o dichiarata", "Card exposed to the partner, or declared"),
        severity="play-stops",
        senses=("camera", "person"),
        steps=(
            _STOP,
            StepRule("expose", "offender", _EXPOSED, until="end-of-own-turn", cards=True),
            StepRule(
                "penalise",
                "offender",
                Words(
                    "La carta che non può o non vuole giocare va scoperta al lato del tavolo e diventa lo scarto.",
                    "A card he cannot or will not play goes face up to the side of the table and becomes his discard.",
                ),
                until="end-of-own-turn",
                cards=True,
            ),
        ),
        duties=(DutyRule("expose", _EXPOSED, until="end-of-own-turn"),),
    ),
)

_PACK: Final = (
    Row(
        id="F-05a",
        article="5",
        title=Words("Mazzo irregolare, rilevato prima del gioco", "Irregular pack, found before play"),
        severity="play-stops",
        senses=("scale",),
        steps=(
            _STOP,
            StepRule("correct-count", "table", Words("Si ricontano tutte le carte.", "All cards are counted again.")),
            StepRule(
                "replace-pack",
                "arbitro",
                Words("Se mancano o avanzano carte il mazzo si sostituisce.", "A pack short or over is replaced."),
            ),
            StepRule(
                "redeal",
                "table",
                Words(
                    "Se il mazzo è completo è una distribuzione errata: si rimescola e si ridistribuisce (art. 4).",
                    "If the pack is complete it is a misdeal: shuffle and deal again (art. 4).",
                ),
            ),
        ),
        options=("F-05a", "F-04d"),
        heals="never",
        needs_referee=True,
    ),
    Row(
        id="F-05b",
        article="5",
        title=Words("Mazzo irregolare, rilevato a gioco iniziato", "Irregular pack, found during the deal"),
        severity="note",
        senses=("scale",),
        steps=(
            StepRule(
                "nothing",
                "table",
                Words("La smazzata si gioca fino in fondo e vale.", "The deal is played out and counts."),
                until="deal-end",
            ),
            StepRule(
                "replace-pack",
                "arbitro",
                Words("Finita la smazzata si sostituisce il mazzo.", "After the deal the pack is replaced."),
                until="deal-end",
            ),
        ),
        options=("F-05b", "F-04f"),
        heals="never",
        needs_referee=True,
    ),
    Row(
        id="F-04d",
        article="4, 7",
        title=Words("Distribuzione errata, rilevata prima del gioco", "Misdeal, found before play"),
        severity="play-stops",
        senses=("scale",),
        steps=(
            _STOP,
            StepRule(
                "redeal",
                "table",
                Words(
                    "Si rimescola, si taglia e si rifanno distribuzione e pozzi.",
                    "Shuffle, cut, deal and make the pots again.",
                ),
            ),
        ),
        heals="never",
    ),
    Row(
        id="F-04f",
        article="4, 7",
        title=Words("Distribuzione errata, rilevata a gioco iniziato", "Misdeal, found after the first draw"),
        severity="note",
        senses=("scale",),
        steps=(
            StepRule(
                "nothing",
                "table",
                Words(
                    "Non si corregge più: la smazzata si gioca e vale.",
                    "It is no longer put right: the deal is played and counts.",
                ),
                until="deal-end",
            ),
        ),
        heals="never",
    ),
)

FIBUR2024: Final[Catalogue] = catalogue_of("fibur2024", (*_OUT_OF_TURN, *_EXPOSURES, *_PACK))
