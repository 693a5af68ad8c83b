"""The words of the archive and of printed sheets. Italian first, English second."""

from __future__ import annotations

from typing import Final

ARCHIVE: Final[dict[str, tuple[str, str]]] = {
    "archive": ("Archivio", "Archive"),
    "archive_text": ("Le smazzate giocate, le più recenti per prime.", "Deals that were played, the newest first."),
    "report_back": ("Indietro", "Back"),
    "report_none": ("Questo resoconto non c’è.", "There is no such report."),
    "report_not_yet": (
        "Si vede quando il turno è finito: agli altri tavoli si gioca ancora.",
        "It can be seen once the round is over: other tables still play.",
    ),
    "unseal_text": (
        (
            "I tavoli sigillano per la chiave dell’arbitro quello che nessun altro può sapere. Con la chiave si apre "
            "per questa pagina sola: la console non la conserva, né conserva quello che si legge."
        ),
        (
            "Tables seal for the arbitro’s key what nobody else may know. The key opens it for this page alone: the "
            "console keeps neither the key nor what is read."
        ),
    ),
    "unseal_reason": ("Perché lo apri (resta nel registro)", "Why you open it (it stays in the log)"),
    "unseal_key_file": ("File della chiave dell’arbitro", "The arbitro’s key file"),
    "unseal_key": ("Chiave dell’arbitro", "The arbitro’s key"),
    "unseal_table_key": ("Chiave pubblica del tavolo {table}", "Public key of table {table}"),
    "unseal_print": ("Apri come PDF", "Open as PDF"),
    "unseal_noted": (
        "Nel registro restano chi ha aperto, quale board e il motivo.",
        "The log keeps who opened it, which board, and why.",
    ),
    "unseal_open_way": (
        (
            "Questa pagina non è arrivata per una via protetta (https): una chiave non va mandata così. Apri la "
            "console con https, o sulla macchina della console, o usa «tavolo unseal»."
        ),
        (
            "This page did not come by a protected way (https): no key may be sent like that. Open the console by "
            "https, or on the console’s own machine, or use 'tavolo unseal'."
        ),
    ),
    "unseal_no_reason": ("Scrivi perché lo apri.", "Say why you open it."),
    "unseal_no_key": (
        "Questa non è una chiave: il file ne ha una di 64 cifre esadecimali (tavolo sealing-key).",
        "This is no key: the file holds one of 64 hexadecimal digits (tavolo sealing-key).",
    ),
    "unseal_no_table_key": (
        "La chiave pubblica del tavolo sono 64 cifre esadecimali: la dice «tavolo audit».",
        "A table’s public key is 64 hexadecimal digits: 'tavolo audit' says it.",
    ),
    "unseal_wrong": (
        "Non si apre: non è la chiave per cui il tavolo sigilla, o non è la chiave pubblica di questo tavolo.",
        "It does not open: it is not the key that the table seals for, or not this table’s public key.",
    ),
    "deed_unsealed": ("ha aperto quello che era sigillato", "opened what was sealed"),
    "archive_empty": ("Nessuna smazzata trovata.", "No deal was found."),
    "archive_all_tables": ("tutti i tavoli", "all tables"),
    "archive_row": ("Irregolarità (la sua riga)", "Irregularity (its row)"),
    "archive_search": ("Cerca", "Search"),
    "archive_newer": ("Più recenti", "Newer"),
    "archive_older": ("Meno recenti", "Older"),
    "archive_deal_gone": ("Questa smazzata non è in archivio.", "This deal is not in the archive."),
    "how_it_ended": ("Fine", "End"),
    "score_both": ("Punti N–S / E–O", "Points N–S / E–W"),
    "irregularities": ("Irregolarità", "Irregularities"),
    "manner_time-out": ("tempo scaduto", "time is up"),
    "manner_stopped": ("sospesa", "stopped"),
    "archive_see_again": ("Rivedi", "See again"),
    "manner_broken": ("interrotta", "broken off"),
    "manner_": ("in corso", "going on"),
    "past_at": ("Momento", "Moment"),
    "past_help": (
        "Trascina per rivedere il tavolo in qualunque momento della smazzata.",
        "Drag to see the table at any moment of the deal.",
    ),
    "replay_play": ("Riproduci", "Play"),
    "replay_pause": ("Ferma", "Pause"),
    "replay_speed": ("Velocità", "Speed"),
    "replay_keys": (
        "Tastiera: spazio riproduce e ferma, ← e → un momento, + e − la velocità.",
        "Keyboard: space plays and pauses, ← and → one moment, + and − the speed.",
    ),
    "moment_link": ("Link a questo momento", "Link to this moment"),
    "moment_picture": ("La telecamera, {seconds} s dal momento", "The camera, {seconds} s from the moment"),
    "case_file": ("Scarica il caso (ZIP)", "Download the case (ZIP)"),
    "past_open": ("Da decidere in quel momento", "Waiting at that moment"),
    "line_of_time": ("Linea del tempo: carte in mano e nel tallone", "Line of time: cards in hand and in the stock"),
    "mark_alert": ("irregolarità", "irregularity"),
    "mark_call": ("chiamata", "call"),
    "mark_end": ("fine", "end"),
    "sheet_pdf": ("Scheda (PDF)", "Sheet (PDF)"),
    "scores_csv": ("Punteggi (CSV)", "Scores (CSV)"),
    "log_csv": ("Registro del torneo (CSV)", "Tournament's log (CSV)"),
    "log_pdf": ("Registro del torneo (PDF)", "Tournament's log (PDF)"),
    "csv_table": ("tavolo", "table"),
    "csv_deal": ("smazzata", "deal"),
    "csv_line": ("linea", "line"),
    "csv_manner": ("fine", "end"),
    "csv_total": ("totale", "total"),
    "csv_running": ("progressivo", "running"),
    "csv_doubtful": ("da verificare", "doubtful"),
    "csv_warnings": ("ammonizioni", "warnings"),
    "csv_pair": ("coppia", "pair"),
    "csv_points": ("punti", "points"),
    "csv_match_points": ("punti partita", "match points"),
    "csv_victory_points": ("victory points", "victory points"),
    "csv_matches_won": ("partite vinte", "matches won"),
    "csv_state": ("stato", "state"),
    "csv_place": ("posto", "place"),
    "csv_rounds": ("incontri", "rounds"),
    "csv_time": ("ora", "time"),
    "csv_turn": ("turno", "turn"),
    "csv_seat": ("posto al tavolo", "seat"),
    "csv_type": ("evento", "event"),
    "csv_row": ("voce", "row"),
    "csv_said": ("che cosa", "what"),
    "log_title": ("Registro del torneo", "Tournament's log"),
    "sheet_item": ("Voce", "Item"),
    "sheet_running": ("Progressivo", "Running"),
    "sheet_match_points": ("Punti partita", "Match points"),
    "sheet_victory_points": ("Victory points", "Victory points"),
    "sheet_not_counted": ("Il conteggio non è ancora stato detto.", "No count has been told yet."),
    "sheet_differences": ("Differenze (telecamera / gioco)", "Differences (camera / play)"),
    "sheet_arbitro": ("L’arbitro", "The arbitro"),
    "state_open": ("aperta", "open"),
    "state_healed": ("sanata", "healed"),
    "state_ruled": ("decisa", "ruled"),
    "state_dismissed": ("archiviata", "dismissed"),
}
