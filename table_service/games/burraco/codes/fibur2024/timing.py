"""Arts. 6, 15, 16 and 37: the time of a round, the time-out, the stall, slow play (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row, Words
from table_service.referee.outcomes import Outcome
from table_service.referee.row_writing import choice, fault, situation, step

ROWS: Final[tuple[Row, ...]] = (
    fault("F-06", "6", Words("Domanda sul tempo che resta", "Question about the time left"), ("person",),
        step("nothing", "arbitro", "Non si può chiedere; nessuna penalità è scritta.",
            "It may not be asked; no penalty is written."), asks=("seat",), heals="opponent-draws"),
    situation("F-06b", "6", Words("Tempi dei turni", "Times of the rounds"),
        step("nothing", "arbitro",
            "25, 32 o 42 minuti per 2, 3 o 4 smazzate; con annuncio iniziale fino a due minuti in meno.",
            "25, 32 or 42 minutes for 2, 3 or 4 deals; if announced at the start up to two minutes less.")),
    situation("F-15a", "15", Words("Time-out durante il gioco", "Time-out during play"),
        step("nothing", "table",
            "L'ultimo giro parte da chi è stato servito per primo e finisce con il mazziere; se quello ha già "
            "giocato o pescato in questo giro, si parte da lui al giro dopo.",
            "The last round of turns begins with who was dealt to first and ends with the dealer; if he has drawn or "
            "played already, it begins with him the next time round.")),
    situation("F-15b", "15", Words("Time-out prima della prima pesca", "Time-out before the first draw"),
        step("nothing", "table", "Si gioca un giro completo.", "One full round of turns is played.")),
    situation("F-15c", "15", Words("Time-out fra due smazzate", "Time-out between two deals"),
        step("nothing", "table", "Il gioco termina.", "The game ends.")),
    situation("F-15d", "15, 17", Words("Ultimo giro finito senza chiusura", "Last round of turns over, nobody out"),
        step("nothing", "table", "Nessuna linea ha i 100 punti della chiusura.",
            "No line has the 100 points for going out.")),
    # The code has the arbitro see the four turns himself, whatever went before: a ruling lets the table begin to count.
    situation("F-16", "16", Words("Stallo", "Stalemate"),
        step("referee", "arbitro",
            "L'arbitro invita chi è di turno a giocare, senza guardare a prima; se davanti a lui i quattro cambiano "
            "solo la carta dichiara lo stallo.",
            "The arbitro asks the player in turn to play, whatever went before; if before him all four only change a "
            "card he declares the stalemate."),
        step("nothing", "table", "La smazzata è interrotta e si conta, senza i 100 punti della chiusura.",
            "The deal is stopped and counted, without the 100 points for going out."), senses=("derived", "person"),
        outcomes=(Outcome(stops="stalemate"),)),
    fault("F-37", "37", Words("Gioco lento", "Slow play"), ("person",),
        step("referee", "arbitro", "L'arbitro invita a giocare più in fretta.", "The arbitro asks for faster play.",
            option="urge"), step("warn", "line", "La coppia è ammonita.", "The pair is warned.", option="warn"),
        choice("urge", "arbitro", "Invito a velocizzare", "Asked to play faster"),
        choice("warn", "arbitro", "Ammonizione", "Warning"), warn_option="warn", needs_referee=True,
        asks=("seat", "option")),
)  # fmt: skip
