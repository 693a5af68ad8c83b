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
    # deeds of the round in the log
    "deed_round start-late": ("inizia l’incontro dove mancava", "starts the round where it had not begun"),
    "deed_round complete": ("completa un tavolo con una coppia in ritardo", "completes a table with a late pair"),
    "deed_round seen": ("prende nota di ordini non arrivati", "notes orders that did not arrive"),
    "deed_round pause": ("ferma l’orologio", "stops the clock"),
    "deed_round go-on": ("fa ripartire l’orologio", "lets the clock go on"),
    "deed_round groups": ("divide in gironi di merito", "splits into merit groups"),
    "deed_round pairs": ("scrive chi siede dove", "enters who sits where"),
    "deed_round late": ("segna una linea in ritardo", "notes a late line"),
    "deed_round arrived": ("segna l’arrivo di una linea", "notes that a line has come"),
    "deed_round apply-late": ("applica la misura del ritardo", "applies the measure for a late line"),
    "deed_round protest": ("registra un reclamo", "enters a protest"),
    "deed_round settle": ("decide un reclamo", "decides a protest"),
    "deed_kept photographs": ("conserva una smazzata dalle fotografie", "keeps a deal from photographs"),
    "by_nobody": ("il codice non li dice: scrivili", "the code does not say: enter them"),
    "same_seats": (
        "Sono le posizioni dell’incontro prima: proponi gli abbinamenti, o cambia le righe.",
        "This is the seating of the round before: propose a new one, or change the lines.",
    ),
    # out of the hall: lists to share, a folder to publish, the season
    "places_provisional": (
        "Posti provvisori; iscritti senza tutti i punti: {n}",
        "Places may change; entries that lack points: {n}",
    ),
    "share": ("Condividi", "Share"),
    "shared_copied": ("Testo copiato: incollalo nel gruppo.", "Text copied: paste it into the group."),
    "shared_failed": ("Non si è potuto condividere: scarica TXT o PNG.", "It could not be shared: take TXT or PNG."),
    "site": ("Pagine da pubblicare", "Pages to publish"),
    "site_text": (
        "Una cartella da copiare ovunque: la classifica pubblicata, chi siede dove, il calendario. Senza ammonizioni.",
        "A folder to copy anywhere: the published ranking, who sits where, the calendar. Without warnings.",
    ),
    "site_unpublished": (
        "Nessuna classifica è pubblicata: pubblicala dalla pagina dell’incontro, e le pagine la mostrano.",
        "No ranking is published: publish it on the round’s page, and the pages show it.",
    ),
    "site_calendar": ("Calendario degli incontri", "Calendar of the rounds"),
    "season": ("Classifica della stagione", "Season’s ranking"),
    "season_text": (
        "Punti per il posto in ogni torneo chiuso. Chi gioca in coppia è la stessa coppia in qualunque ordine di nomi.",
        "Points for the place in each closed tournament. A pair is the same in whichever order its names stand.",
    ),
    "season_points": ("Punti dal primo posto in giù", "Points from the first place down"),
    "season_best": ("Contano i migliori (vuoto: tutti)", "Best that count (empty: all)"),
    "season_best_of": ("contano i migliori {n}", "the best {n} count"),
    "season_show": ("Somma", "Add up"),
    "season_about": ("Tornei: {n}", "Tournaments: {n}"),
    "season_none": (
        "Nessun torneo è stato chiuso con una classifica.",
        "No tournament has been closed with a ranking yet.",
    ),
    "season_points_bad": (
        "I punti sono numeri interi separati da spazi, al più {most}: «20 17 15».",
        "Points are whole numbers with spaces between, {most} at most: “20 17 15”.",
    ),
    # tables that wait for a word of the direction
    "next_deal": (
        "inizia la smazzata ai tavoli che la aspettano: {n}.",
        "begin the deal at the tables that wait for it: {n}.",
    ),
    "next_play": (
        "dai il via ai tavoli con le carte date: {n}.",
        "give the start of play at the tables with the cards dealt: {n}.",
    ),
    "due_deal": ("Aspettano la smazzata", "Wait for a deal"),
    "due_deal_text": (
        "Si comincia quando il mazzo è pronto e nessuna carta è ancora data.",
        "Begin it when the pack is ready and no card is dealt yet.",
    ),
    "due_start-play": ("Aspettano il via", "Wait for the start of play"),
    "due_start-play_text": (
        "Si dà quando le carte sono date; se qualcuno gioca prima del via, il tavolo segnala a torto.",
        "Give it when the cards are dealt; if play begins before it, the table reports faults that are none.",
    ),
    "due_all": ("a tutti", "at all"),
    "due_next_deal": ("smazzata {n}", "deal {n}"),
    "due_none": (
        "Nessun tavolo lo aspetta più: forse lo ha già dato un altro arbitro.",
        "No table waits for it any more: another arbitro may have given it.",
    ),
    "due_no_dealer": ("Scegli chi dà le carte per primo.", "Choose who deals first."),
    "deed_round due": ("dà una smazzata o il via", "begins a deal or its play"),
    # what is left to the arbitro, and what is still open
    "next_points": (
        "scrivi i punti che il tavolo non può dare: {n}.",
        "enter the points that no table can give: {n}.",
    ),
    "next_protests": ("decidi i reclami: {n}.", "decide the protests: {n}."),
    "points_to_give": ("Punti che scrive l’arbitro", "Points that the arbitro enters"),
    "points_to_give_text": (
        "Il codice li lascia all’arbitro, o il tavolo non ha finito. Valgono finché il tavolo non li dice.",
        "The code leaves them to the arbitro, or the table has not finished. They hold until the table tells its own.",
    ),
    "points_by_match": (
        "Si va per partite vinte: scrivi 1 per vinta o 0 per persa, e i punti.",
        "The ranking goes by matches won: enter 1 for won or 0 for lost, and the points.",
    ),
    "points_given_by": ("dati da {person}", "given by {person}"),
    "give_points": ("Scrivi", "Enter"),
    "points_why_points": ("il codice non li dà", "the code gives none"),
    "points_why_match": ("la partita non ha un vincitore", "the match has no winner"),
    "points_why_plays": ("il tavolo non ha finito", "the table has not finished"),
    "points_why_silent": ("il tavolo non ha iniziato", "the table has not begun"),
    "points_not_now": (
        "I punti di {entry} li dà il tavolo: qui non c’è niente da scrivere.",
        "The table gives the points of {entry}: there is nothing to enter here.",
    ),
    "points_by_arbitro": (
        "Con {deals} smazzate il codice non ha una tabella di victory points: li scrive l’arbitro a incontro finito.",
        "For {deals} deals the code has no table of victory points: the arbitro enters them once the round is over.",
    ),
    "lack_sheets": (
        "Incontro {number}, tavolo {place}: conferma gli score, e il risultato di {entry} sarà noto.",
        "Round {number}, table {place}: confirm its sheets, and the result of {entry} will be known.",
    ),
    "lack_plays": (
        "Incontro {number}, tavolo {place}: {entry} non ha finito di giocare.",
        "Round {number}, table {place}: {entry} has not finished playing.",
    ),
    "lack_silent": (
        "Incontro {number}, tavolo {place}: non ha ancora detto niente, e il risultato di {entry} non è noto.",
        "Round {number}, table {place}: it has told nothing yet, and the result of {entry} is not known.",
    ),
    "lack_points": (
        "Incontro {number}: i punti di {entry} li scrive l’arbitro, in «Risultati e classifica».",
        "Round {number}: the arbitro enters the points of {entry}, in “Results and ranking”.",
    ),
    "round_still_open": (
        "L’incontro non è finito ovunque: {places}. Finiscili, o spunta «chiudi lo stesso».",
        "The round is not over everywhere: {places}. Finish them, or tick “end all the same”.",
    ),
    "end_anyway": ("Chiudi lo stesso. Non finiti: {n}", "End all the same. Not finished: {n}"),
    "deed_round points": ("scrive i punti di un incontro", "enters the points of a round"),
    "movement_boards": ("quello scelto per la gara, con i board", "the session's, with its boards"),
    "session_movement": ("Movimento della gara e board", "Movement of the session and its boards"),
    "session_text": (
        "Il movimento dice per ogni turno chi siede dove e con quali board: ai tavoli arriva con l’inizio del turno.",
        "The movement says for each round who sits where with which boards: tables are told with the round’s start.",
    ),
    "session_count": ("Board che ogni coppia gioca, circa", "Boards that each pair plays, about"),
    "session_one": (
        "Una sola classifica (linee scambiate negli ultimi turni)",
        "One ranking (lines exchanged at the end)",
    ),
    "session_offer": ("Mostra i movimenti", "Show the movements"),
    "session_which": ("Quale movimento?", "Which movement?"),
    "session_lot": ("Numeri delle coppie per sorteggio", "Numbers of the pairs drawn by lot"),
    "session_choose": ("Gioca questo movimento", "Play this movement"),
    "session_round": ("Turno {n} di {of}: i board ai tavoli", "Round {n} of {of}: the boards at the tables"),
    "session_over": ("I turni del movimento sono finiti.", "The movement’s rounds are over."),
    "session_late": (
        "Coppia arrivata in ritardo, dal prossimo turno",
        "A pair that has come late, from the next round on",
    ),
    "session_late_add": ("Inserisci la coppia", "Add the pair"),
    "session_drop": ("Abbandona il movimento", "Give the movement up"),
    "session_drop_text": (
        "I turni che vengono si propongono uno per uno, senza board.",
        "The rounds to come are proposed one by one, without boards.",
    ),
    "session_records": ("Smazzate caricate", "Records loaded"),
    "session_file": (
        "File delle smazzate di tutta la gara (PBN, LIN, DUP, DLM, RBN)",
        "File of all deals (PBN, LIN, DUP, DLM, RBN)",
    ),
    "session_keep": ("Carica le smazzate", "Load the deals"),
    "round_boards": ("Board di questo turno", "Boards of this round"),
    "round_boards_text": ("gli stessi a tutti i tavoli, come 1-4", "the same at all tables, as 1-4"),
    "by_movement": ("come dice il movimento", "as the movement says"),
    "boards_bad": (
        "«{text}» non sono numeri di board: scrivi 1-4 o 1, 2, 7.",
        "“{text}” are no boards: write 1-4 or 1, 2.",
    ),
    "boards_not_deals": (
        "I board sono {n}, le smazzate del turno {deals}: devono essere lo stesso numero.",
        "There are {n} boards and {deals} deals in the round: the numbers must be equal.",
    ),
    "seating_no_movement": (
        "Per {pairs} coppie e {boards} board non c’è un movimento: chiedi più board, o meno.",
        "There is no movement for {pairs} pairs and {boards} boards: ask for more boards, or fewer.",
    ),
    "seating_plan_is_over": ("Il movimento ha {rounds} turni.", "The movement has {rounds} rounds."),
    "seating_no_late_pair": (
        "Dal turno {number} questo movimento non può accogliere un’altra coppia.",
        "From round {number} on this movement takes no other pair.",
    ),
    "deed_round choose-movement": ("sceglie il movimento della gara", "chooses the session’s movement"),
    "deed_round late-pair": ("inserisce una coppia in ritardo", "adds a late pair"),
    "deed_round drop-movement": ("abbandona il movimento della gara", "gives the session’s movement up"),
    "deed_round records": ("carica le smazzate della gara", "loads the session’s deals"),
    "session_page_old": (
        "La pagina è di un altro turno: ricaricala, e guarda posti e board prima di cominciare.",
        "The page is of another round: load it again, and look at seats and boards before you begin.",
    ),
}
