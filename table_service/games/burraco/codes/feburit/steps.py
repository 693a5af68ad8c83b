"""Steps, duties and wordings that several rows of the FE.BUR.IT code share (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, Sense
from table_service.referee.outcomes import Outcome, Share
from table_service.referee.row_writing import choice, duty, step

SEEN: Final[tuple[Sense, ...]] = ("camera", "beam")
STOP: Final = step("stop-play", "table", "Si ferma il gioco e si chiama l'arbitro.",
    "Play stops and the arbitro is called.")  # fmt: skip

# -- arts. 10 and 11: what every penalty carries with it ----------

ENDS: Final = step("limit-turn", "offender", "Il suo gioco finisce qui: scarta senza aprire né legare altro.",
    "His play ends here: he discards and lays nothing more.", until="end-of-own-turn")  # fmt: skip
MUST_END: Final = duty(ENDS, ("discard",), "this-turn")
PENALISE: Final = step("penalise", "offender",
    "Le carte che non si possono sanare vanno scoperte al bordo del tavolo, accanto a lui.",
    "The cards that cannot be put right go face up to the edge of the table beside him.", cards=True)  # fmt: skip
DISCARD: Final = step("discard", "offender",
    "Le carte penalizzate si scartano una per turno, dalla più bassa di valore.",
    "The penalised cards are discarded one a turn, the lowest in value first.", until="none-left",
    cards=True)  # fmt: skip
BAR_OFFENDER: Final = step("bar-closing", "offender",
    "Può chiudere solo nel giro dopo lo scarto dell'ultima carta penalizzata.",
    "He may go out only in the turn after his last penalised card is discarded.",
    until="turn-after-last-penalised")  # fmt: skip
BAR_PARTNER: Final = step("bar-closing", "partner", "Il compagno non può chiudere nel giro dell'irregolarità.",
    "His partner may not go out in the round of the fault.", until="round-of-the-fault")  # fmt: skip
BAR_LINE: Final = step("bar-closing", "line", "La linea non può chiudere in quel giro.",
    "The line may not go out in that round.", until="round-of-the-fault")  # fmt: skip
BARS: Final = (BAR_OFFENDER, BAR_PARTNER)


def barred(option: str | None = None) -> tuple[DutyRule, ...]:
    """Both bars on closing as duties; only where ``option`` was chosen."""
    return duty(BAR_OFFENDER, option=option), duty(BAR_PARTNER, who="partner", option=option)


BARRED: Final = barred()
BARRED_LINE: Final = (duty(BAR_LINE), duty(BAR_LINE, who="partner"))
PENALISED: Final = (duty(PENALISE), duty(DISCARD), *BARRED)

# -- the limited turn, what is put back, freezes ----------

LIMITED: Final = step("limit-turn", "offender", "Al suo turno pesca o raccoglie e scarta, senza fare gioco.",
    "In his turn he draws or picks up and discards, and lays nothing.", until="end-of-own-next-turn")  # fmt: skip
NEXT_LIMITED: Final = duty(LIMITED, ("draw", "collect", "discard"))
TO_STOCK: Final = step("return-to-stock", "offender", "La carta pescata torna sul tallone.",
    "The card drawn goes back onto the stock.", cards=True, option="draw")  # fmt: skip
TO_PILE: Final = step("return-to-pile", "offender",
    "Le carte raccolte tornano sul monte degli scarti, nell'ordine di prima.",
    "The cards picked up go back onto the discard pile in their order.", cards=True, option="collect")  # fmt: skip
RESTORED: Final = (TO_STOCK, TO_PILE)
MUST_RESTORE: Final = (duty(TO_STOCK), duty(TO_PILE))
WHAT_HE_TOOK: Final = (
    choice("draw", "arbitro", "Ha pescato dal tallone.", "He drew from the stock."),
    choice("collect", "arbitro", "Ha raccolto il monte degli scarti.", "He picked up the pile."),
)
FREEZE: Final = step("freeze", "line", "I giochi calati o legati sono congelati per un giro.",
    "The melds opened or added to are frozen for one round.", until="one-round", cards=True)  # fmt: skip
FREEZE_FOR_GOOD: Final = step("freeze", "line", "Il gioco è congelato per tutta la mano: non vi si legano più carte.",
    "The meld is frozen for the whole deal: no card is added to it any more.", until="deal-end")  # fmt: skip
LAST_PENALISED: Final = step("penalise", "offender",
    "L'ultimo gioco calato è penalizzato, e con lui le carte dei giochi rimasti incompleti.",
    "The last play is penalised, and with it the cards of melds left incomplete.", cards=True)  # fmt: skip

# -- warnings that cost match points when they are repeated ----------

WARN: Final = step("warn", "line", "Il giocatore è ammonito.", "The player is warned.")
REPEATED: Final = step("score", "line", "Per l'infrazione ripetuta la coppia perde 100 M.P.",
    "For the fault repeated the pair loses 100 match points.", option="repeated")  # fmt: skip
FIRST_OR_REPEATED: Final = (
    choice("first", "arbitro", "È la prima volta.", "It is the first time."),
    choice("repeated", "arbitro", "È ripetuta: 100 M.P. in meno.", "It is repeated: 100 match points less."),
)
REPEATED_COSTS: Final = (Outcome((Share("bonus", -100),), option="repeated"), Outcome())
