"""The premises of the FE.BUR.IT code: when there is no penalty, who may call, what a penalty carries (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row, Words
from table_service.referee.row_writing import situation, step

ROWS: Final[tuple[Row, ...]] = (
    situation("B-G01", "Premessa, perdita del diritto alla penalità; 10 N.B.",
        Words("Quando la penalità non si applica", "When no penalty applies"),
        step("nothing", "table",
            "Nessuna penalità se il tavolo ha agito prima di chiamare, o se si è giocato oltre e la situazione di "
            "prima non si può più ripristinare; conta il momento in cui l'errore è rilevato.",
            "No penalty where the table has acted before calling, or where play has gone on and the former state "
            "cannot be restored; what counts is when the fault is found."), senses=("derived", "person"),
        kind="principle"),
    situation("B-G02", "Premessa generale",
        Words("Chiunque può rilevare e chiamare", "Anyone may point out a fault and call"),
        step("stop-play", "table",
            "Ogni componente del tavolo può rilevare l'irregolarità; da allora nessuno gioca prima della decisione.",
            "Anyone at the table may point out the fault; from then on nobody plays before the ruling."),
        senses=("person",), kind="principle"),
    situation("B-G03", "11, 10", Words("Che cosa comporta ogni penalità", "What every penalty carries with it"),
        step("nothing", "table",
            "L'errore chiude il turno di chi lo ha commesso; poi gioca, ma scarta prima le penalizzate e chiude solo "
            "nel giro dopo l'ultima; il compagno non chiude nel giro dell'errore.",
            "The fault ends the offender's turn; later he plays, but discards his penalised cards first and goes out "
            "only in the turn after the last; his partner does not go out in the round of the fault."),
        kind="principle"),
    situation("B-G04", "Definizioni",
        Words("Congelamento temporaneo e definitivo", "Temporary and definitive freeze"),
        step("nothing", "table",
            "Temporaneo: per un giro; definitivo: per tutta la mano. Su un gioco congelato non si legano carte.",
            "Temporary: for one round; definitive: for the whole deal. No card is added to a frozen meld."),
        kind="principle"),
)  # fmt: skip
