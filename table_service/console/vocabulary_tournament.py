"""Words of a tournament's pages: late entries, groups that play apart, prizes."""

from __future__ import annotations

from typing import Final

TOURNAMENT: Final[dict[str, tuple[str, str]]] = {
    "complete_table": ("Una coppia arriva a turno iniziato", "A pair comes after the start"),
    "complete_text": (
        "{entry} riposa: chi arriva completa il tavolo.",
        "{entry} rests: who comes completes the table.",
    ),
    "complete_plays": (
        "Entro {n} minuti dall’inizio si gioca e si recupera il tempo.",
        "Within {n} minutes of the start the two play and make up the time.",
    ),
    "complete_points": (
        "Sono passati più di {n} minuti: non si gioca. A {entry} {waiting} V.P., a chi arriva {late} V.P.",
        "More than {n} minutes are over: nobody plays. {entry} has {waiting} VP, the late pair {late} VP.",
    ),
    "complete_do": ("Completa il tavolo", "Complete the table"),
    "complete_not_now": (
        "Un tavolo si completa solo durante il primo turno, se una coppia riposa e c’è un tavolo libero.",
        "A table is completed only during the first round, where one pair rests and a table is free.",
    ),
    "sheet_is_assigned": ("assegnato senza gioco", "given without play"),
    "sections": ("Gironi", "Groups"),
    "sections_text": (
        "Ogni girone gioca da sé, con la propria classifica; i nomi dell’elenco vanno ai gironi a turno.",
        "Each group plays by itself and has its own ranking; the names of the list go to the groups in turn.",
    ),
    "sections_bad": (
        "Per {n} gironi servono almeno {least} iscritti.",
        "For {n} groups there must be at least {least} entries.",
    ),
    "sections_line": (
        "La riga {n} mette {entry} in due gironi.",
        "Line {n} puts {entry} into two groups.",
    ),
    "group_col": ("Girone", "Group"),
    "prizes": ("Premi", "Prizes"),
    "prizes_text": (
        "Una riga per posto, dal primo: «500» o «Coppa». Chi è pari divide gli importi; ogni girone ha gli stessi.",
        "One line a place, from the first: “500” or “Cup”. Equals share the amounts; of several groups each has them.",
    ),
    "prize_col": ("Premio", "Prize"),
    "prize_shared": ("{what} (in parità: decide la direzione)", "{what} (equal: the direction decides)"),
    "prizes_bad": (
        "I premi sono {most} righe al più, ognuna di {long} caratteri al più.",
        "Prizes are {most} lines at most, each of {long} characters at most.",
    ),
}
