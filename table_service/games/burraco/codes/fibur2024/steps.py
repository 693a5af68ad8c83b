"""Steps, duties and wordings that several rows of the F.I.Bur. code share (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, StepRule, Words

STOP: Final = StepRule("stop-play", "table",
    Words("Si ferma il gioco e si chiama l'arbitro.", "Play stops and the arbitro is called."))  # fmt: skip
DECK_REPLACED: Final = StepRule("replace-pack", "arbitro",
    Words("Finita la smazzata si sostituisce il mazzo.", "After the deal the pack is replaced."),
    until="deal-end")  # fmt: skip
DRAW_AND_DISCARD: Final = Words("Al suo prossimo turno pesca dal tallone e scarta, senza aprire né legare.",
    "At his next turn he draws from the stock and discards, and lays nothing.")  # fmt: skip
COLLECT_AND_DISCARD: Final = Words(
    "Al suo prossimo turno raccoglie il monte degli scarti e scarta, senza aprire né legare.",
    "At his next turn he picks up the pile and discards, and lays nothing.")  # fmt: skip
TAKE_AND_DISCARD: Final = Words("Al suo prossimo turno pesca o raccoglie e scarta, senza aprire né legare.",
    "At his next turn he draws or picks up and discards, and lays nothing.")  # fmt: skip
NEXT_DRAW: Final = DutyRule("limit-turn", DRAW_AND_DISCARD, ("draw", "discard"), until="end-of-own-next-turn")
NEXT_COLLECT: Final = DutyRule("limit-turn", COLLECT_AND_DISCARD, ("collect", "discard"), until="end-of-own-next-turn")
NEXT_TAKE: Final = DutyRule("limit-turn", TAKE_AND_DISCARD, ("draw", "collect", "discard"),
    until="end-of-own-next-turn")  # fmt: skip
BACK_TO_STOCK: Final = Words("La carta torna sul tallone; se è già nel ventaglio l'arbitro ne estrae una a caso.",
    "The card goes back onto the stock; if it is in the fan already the arbitro takes one at random.")  # fmt: skip
BACK_TO_PILE: Final = Words("Le carte raccolte tornano sul monte degli scarti nello stesso ordine.",
    "The cards go back onto the discard pile in the same order.")  # fmt: skip
SHOW_VICTIM: Final = StepRule("show", "player-in-turn",
    Words("L'arbitro mostra la carta all'avversario a cui toccava giocare.",
        "The arbitro shows the card to the opponent whose turn it was."), cards=True,
    only="victim-is-opponent")  # fmt: skip
LIMIT_DRAW: Final = StepRule("limit-turn", "offender", DRAW_AND_DISCARD, until="end-of-own-next-turn")
LIMIT_COLLECT: Final = StepRule("limit-turn", "offender", COLLECT_AND_DISCARD, until="end-of-own-next-turn")
FREEZE_LONG: Final = StepRule("freeze", "line",
    Words("I giochi interessati restano congelati fino al turno successivo a quello limitato.",
        "The melds concerned stay frozen until the turn after the limited one."),
    until="turn-after-next")  # fmt: skip
PENALISE_REST: Final = StepRule("complete-or-penalise", "offender",
    Words("Il gioco rimasto incompleto si completa con carte proprie, altrimenti le sue carte sono penalizzate.",
        "A meld left incomplete is completed from the own hand, otherwise its cards are penalised."),
    cards=True)  # fmt: skip
FREEZE_NEXT: Final = StepRule("freeze", "line",
    Words("I giochi aperti o quelli a cui ha legato restano congelati fino al suo prossimo turno.",
        "The melds he opened or added to stay frozen until his next turn."), until="own-next-turn")  # fmt: skip
TAKE_NOW: Final = Words("Ora deve pescare o raccogliere e scartare, senza altro gioco.",
    "He must draw or pick up now and discard, without further play.")  # fmt: skip
LAST_PLAY_BACK: Final = Words("Riprende in mano l'ultimo gioco effettuato; può chiudere al turno successivo.",
    "He takes his last play back into his hand; he may go out at his next turn.")  # fmt: skip
DISCARD_STANDS: Final = StepRule("nothing", "table", Words("Lo scarto resta tale.", "The discard stays where it is."))
PENALISED: Final = Words(
    "Le carte penalizzate si scartano nei turni successivi dalla più alta alla più bassa (cuori, quadri, fiori, "
    "picche).",
    "The penalised cards are discarded in the next turns, the highest first (hearts, diamonds, clubs, spades).",
)  # fmt: skip
EXPOSED: Final = Words(
    "Le carte esposte si giocano nel primo turno utile; quelle non giocate sono penalizzate e si scartano a fine "
    "gioco, dalla più alta.",
    "Exposed cards are played in the player's own turn; those not played are penalised and discarded at its end, "
    "highest first.")  # fmt: skip
WARN_LINE: Final = StepRule("warn", "line", Words("La coppia è ammonita.", "The pair is warned."))
"""A warning goes to the pair's account, whoever of it earned it (definition; powers, d)."""
