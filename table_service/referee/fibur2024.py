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

_FREEZE_NEXT: Final = StepRule(
    "freeze",
    "line",
    Words(
        "I giochi aperti o quelli a cui ha legato restano congelati fino al suo prossimo turno.",
        "The melds he opened or added to stay frozen until his next turn.",
    ),
    until="own-next-turn",
)
_TAKE_NOW: Final = Words(
    "Ora deve pescare o raccogliere e scartare, senza altro gioco.",
    "He must draw or pick up now and discard, without further play.",
)


def _missed_draw(name: str, title: Words, *, warn: bool) -> Row:
    warning = StepRule(
        "warn",
        "line",
        Words("La coppia è ammonita per il suggerimento.", "The pair is warned for the hint."),
    )
    return Row(
        id=name,
        article="30, 22" if warn else "30",
        title=title,
        severity="play-stops",
        senses=("scale", "camera", "beam", "person") if warn else ("scale", "camera", "beam"),
        steps=(
            _STOP,
            StepRule("draw", "offender", _TAKE_NOW),
            _FREEZE_NEXT,
            _PENALISE_REST,
            *((warning,) if warn else ()),
        ),
        duties=(
            DutyRule(
                "limit-turn", _TAKE_NOW, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn"
            ),
            DutyRule("draw", _TAKE_NOW, when="after-turn"),
        ),
        warn=warn,
        freezes=True,
    )


_IN_TURN: Final = (
    _missed_draw(
        "F-30a",
        Words("Gioco senza aver pescato o raccolto", "Play without having drawn or picked up"),
        warn=False,
    ),
    _missed_draw(
        "F-30b",
        Words(
            "Gioco senza aver pescato o raccolto, rilevato dal compagno",
            "Play without having drawn or picked up, pointed out by the partner",
        ),
        warn=True,
    ),
    Row(
        id="F-08a",
        article="8",
        title=Words("Due carte prese dal tallone", "Two cards taken from the stock"),
        severity="play-stops",
        senses=("scale", "gate", "beam"),
        steps=(
            _STOP,
            StepRule(
                "return-to-stock",
                "offender",
                Words(
                    "La prima carta è sua, la seconda torna sul tallone.",
                    "The first card is his, the second goes back onto the stock.",
                ),
                cards=True,
            ),
            StepRule(
                "show",
                "next-opponent",
                Words(
                    "L'arbitro la mostra all'avversario che segue, che al suo turno può prenderla o raccogliere.",
                    "The arbitro shows it to the next opponent, who at his turn may take it or pick up the pile.",
                ),
                cards=True,
            ),
        ),
        duties=(
            DutyRule(
                "return-to-stock",
                Words("La seconda carta torna sul tallone.", "The second card goes back onto the stock."),
            ),
        ),
    ),
    Row(
        id="F-27a",
        article="27",
        title=Words("Apertura o carta legata dopo lo scarto", "Meld or addition after the discard"),
        severity="play-stops",
        senses=("camera", "beam"),
        steps=(_STOP, _FREEZE_NEXT),
        freezes=True,
    ),
)

_LAST_PLAY_BACK: Final = Words(
    "Riprende in mano l'ultimo gioco effettuato; può chiudere al turno successivo.",
    "He takes his last play back into his hand; he may go out at his next turn.",
)
_DISCARD_STANDS: Final = StepRule("nothing", "table", Words("Lo scarto resta tale.", "The discard stays where it is."))
_PENALISED: Final = Words(
    "Le carte penalizzate si scartano nei turni successivi dalla più alta alla più bassa "
    "(cuori, quadri, fiori, picche).",
    "The penalised cards are discarded in the next turns, the highest first (hearts, diamonds, clubs, spades).",
)

_CLOSINGS: Final = (
    Row(
        id="F-33",
        article="33",
        title=Words("Chiusura senza burraco", "Going out without a burraco"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            _STOP,
            _DISCARD_STANDS,
            StepRule(
                "penalise",
                "offender",
                Words(
                    "Le carte dell'ultimo gioco effettuato sono penalizzate e vanno scoperte al lato del tavolo.",
                    "The cards of his last play are penalised and go face up to the side of the table.",
                ),
                cards=True,
            ),
            StepRule("discard", "offender", _PENALISED, until="none-left", cards=True),
        ),
        duties=(DutyRule("discard", _PENALISED, until="none-left"),),
    ),
    Row(
        id="F-34",
        article="34",
        title=Words("Chiusura scartando una matta", "Going out by discarding a wild card"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(_STOP, StepRule("take-back", "offender", _LAST_PLAY_BACK, cards=True), _DISCARD_STANDS),
        duties=(DutyRule("take-back", _LAST_PLAY_BACK),),
    ),
    Row(
        id="F-35a",
        article="35",
        title=Words("Chiusura senza scarto, aprendo un gioco", "Going out without a discard, a meld opened last"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            _STOP,
            StepRule(
                "discard",
                "offender",
                Words(
                    "Una carta a scelta dell'ultimo gioco aperto diventa lo scarto.",
                    "One card of the meld opened last, at his choice, becomes the discard.",
                ),
                cards=True,
            ),
            StepRule(
                "expose",
                "offender",
                Words("Le altre carte di quel gioco sono esposte.", "The other cards of that meld are exposed."),
                until="end-of-own-next-turn",
                cards=True,
            ),
        ),
        duties=(
            DutyRule(
                "take-back",
                Words(
                    "Le carte del gioco si riprendono: una è lo scarto, le altre sono esposte.",
                    "The cards of the meld are taken back: one is the discard, the others are exposed.",
                ),
            ),
            DutyRule(
                "expose",
                Words(
                    "Le carte rimaste si giocano al prossimo turno o si scartano, dalla più alta.",
                    "The cards left are played at the next turn or discarded, the highest first.",
                ),
                allow=("discard",),
                until="end-of-own-next-turn",
            ),
        ),
    ),
    Row(
        id="F-35b",
        article="35",
        title=Words(
            "Chiusura senza scarto, legando l'ultima carta", "Going out without a discard, the last card added"
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            _STOP,
            StepRule("take-back", "offender", _LAST_PLAY_BACK, cards=True),
            StepRule(
                "discard",
                "offender",
                Words(
                    "La carta legata al posto dello scarto diventa lo scarto.",
                    "The card added instead of being discarded becomes the discard.",
                ),
                cards=True,
            ),
        ),
        duties=(DutyRule("take-back", _LAST_PLAY_BACK),),
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

FIBUR2024: Final[Catalogue] = catalogue_of("fibur2024", (*_OUT_OF_TURN, *_IN_TURN, *_CLOSINGS, *_EXPOSURES, *_PACK))
