"""Words about the list of entries: its file, its columns, its people. Italian and English."""

from __future__ import annotations

from typing import Final

ENTRIES: Final[dict[str, tuple[str, str]]] = {
    "entry_list_text": (
        "Dal foglio di calcolo del circolo (.xlsx, .csv) o incollati qui. Prima di prenderli vedi come sono letti.",
        "From the club’s spreadsheet (.xlsx, .csv) or pasted here. You see how they are read before they are taken.",
    ),
    "entry_file": ("Un file (.xlsx, .csv, .txt)", "A file (.xlsx, .csv, .txt)"),
    "entry_paste": ("Oppure incolla le righe", "Or paste the rows"),
    "entry_show": ("Mostra come si legge", "Show how it is read"),
    "entry_columns": ("Che cosa c’è in ogni colonna", "What stands in each column"),
    "entry_columns_text": (
        "Tocca una colonna per cambiarla. La scelta vale anche per il prossimo file fatto così.",
        "Touch a column to change it. The choice holds for the next file of the same form, too.",
    ),
    "entry_column": ("Colonna {n}: {head}", "Column {n}: {head}"),
    "entry_heads": ("Riga delle intestazioni", "Row of heads"),
    "entry_heads_found": ("come si riconosce", "as recognised"),
    "entry_heads_first": ("la prima riga", "the first row"),
    "entry_heads_none": ("nessuna", "none"),
    "entry_again": ("Leggi di nuovo", "Read again"),
    "entry_take": ("Prendi {n} iscritti", "Take {n} entries"),
    "entry_refused": ("Da correggere prima: {n}", "To be mended first: {n}"),
    "entry_none": ("Nessuna riga nomina qualcuno.", "No row names anybody."),
    "entry_taken": (
        "Presi: {n}. Stanno nel campo degli abbinamenti.",
        "Taken: {n}. They are in the field of who meets whom.",
    ),
    "entry_now": ("Iscritti presi ({n})", "Entries taken ({n})"),
    "entry_to_round": ("Agli abbinamenti", "On to who meets whom"),
    "entry_from_list": ("Da un foglio di calcolo", "From a spreadsheet"),
    "entry_line": ("riga", "line"),
    "entry_member_col": ("tessera", "member no."),
    "entry_club_col": ("circolo", "club"),
    "entry_category_col": ("categoria", "category"),
    "entry_name_col": ("nome", "name"),
    "entry_people": ("Iscritti, persona per persona", "Entries, person by person"),
    "entry_members": ("tessere", "member nos."),
    "entry_clubs": ("circoli", "clubs"),
    "entry_half": (
        "Riga {n}: «{entry}» è mezza coppia, manca il compagno.",
        "Line {n}: “{entry}” is half a pair, the partner is missing.",
    ),
    "entry_empty": ("Riga {n}: non c’è nessun nome.", "Line {n}: there is no name."),
    "entry_double": (
        "Riga {n}: «{entry}» è già alla riga {before}.",
        "Line {n}: “{entry}” is on line {before} already.",
    ),
    "entry_person": (
        "Riga {n}: «{entry}» gioca già alla riga {before}. Se sono due persone, scrivi le tessere.",
        "Line {n}: “{entry}” plays on line {before} already. If they are two people, enter their member numbers.",
    ),
    "entry_member": (
        "Riga {n}: la tessera {member} è già alla riga {before}.",
        "Line {n}: member number {member} is on line {before} already.",
    ),
    "file_unreadable": (
        "Questo file non si legge come elenco: salvalo come .xlsx o .csv.",
        "This file is not read as a list: save it as .xlsx or .csv.",
    ),
    "file_is_old": (
        "Un vecchio .xls non si legge: salvalo come .xlsx o .csv.",
        "An old .xls is not read: save it as .xlsx or .csv.",
    ),
    "file_long": (
        "Il file è troppo lungo per un elenco di iscritti.",
        "The file is too long for a list of entries.",
    ),
    "deed_entries take": ("prende gli iscritti", "takes the entries"),
    "role_of_": ("non serve", "not used"),
    "role_of_number": ("numero", "number"),
    "role_of_entry": ("coppia o squadra", "pair or team"),
    "role_of_club": ("circolo di entrambi", "club of both"),
    "role_of_category": ("categoria di entrambi", "category of both"),
    "role_of_n_player": ("giocatore {n}", "player {n}"),
    "role_of_n_surname": ("cognome {n}", "surname {n}"),
    "role_of_n_given": ("nome {n}", "first name {n}"),
    "role_of_n_club": ("circolo {n}", "club {n}"),
    "role_of_n_member": ("tessera {n}", "member no. {n}"),
    "role_of_n_category": ("categoria {n}", "category {n}"),
    "role_of_n_email": ("e-mail {n}", "e-mail {n}"),
}
