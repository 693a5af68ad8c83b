"""The words of scores and deductions that an arbitro enters himself. Italian first, English second."""

from __future__ import annotations

from typing import Final

AWARDS: Final[dict[str, tuple[str, str]]] = {
    "awards": ("Punteggi arbitrali e penalità", "Adjusted scores and penalties"),
    "awards_entered": ("Che cosa è stato inserito", "What was entered"),
    "awards_none": (
        "In questo turno l’arbitro non ha inserito nulla.",
        "In this round no arbitro has entered anything.",
    ),
    "award_enter": ("Inserisci", "Enter"),
    "award_text": (
        "Vale subito, nei risultati dei board e in classifica; resta scritto chi l’ha inserito, e si può revocare.",
        "It counts at once, in the results of the boards and in the ranking; who has entered it stays written.",
    ),
    "award_article_label": ("Articolo o norma", "Law or norm"),
    "award_article": ("Manca l’articolo o la norma.", "The law or norm is missing."),
    "award_number": (
        "Di quale board? Un numero da {first} a {last}.",
        "Of which board? A number from {first} to {last}.",
    ),
    "award_no_round": (
        "Non c’è un turno di cui si possano inserire punteggi.",
        "There is no round of which scores could be entered.",
    ),
    "award_at_table": (
        "In questo gioco punti e penalità si danno al tavolo: aprilo dalla sala, comandi del tavolo.",
        "In this game points and penalties are given at the table: open it from the hall, table commands.",
    ),
    "award_gone": ("È già stato revocato.", "It was withdrawn already."),
    "award_late": (
        "Non si può più annullare: revocalo, con il motivo.",
        "It cannot be undone any more: withdraw it, with the reason.",
    ),
    "award_withdraw": ("Revoca", "Withdraw"),
    "award_withdrawn": ("Revocato da", "Withdrawn by"),
    "deed_award": ("inserisce un punteggio arbitrale", "enters an adjusted score or a penalty"),
    "deed_award undo": ("annulla un punteggio arbitrale", "undoes an adjusted score or a penalty"),
    "deed_award withdraw": ("revoca un punteggio arbitrale", "withdraws an adjusted score or a penalty"),
}
