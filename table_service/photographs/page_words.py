"""Texts of the page of photographs, in Italian and English."""

from __future__ import annotations

from typing import Final

from table_service.games.game_pages import Text

WORDS: Final[dict[str, Text]] = {
    "title": ("Punteggio da fotografie", "Score from photographs"),
    "skip": ("Vai al contenuto", "Skip to content"),
    "other_language": ("English", "Italiano"),
    "rules": ("Regolamento", "Rules"),
    "take": ("Fotografie", "Photographs"),
    "take_hint": (
        "Dall’alto, tutte le carte dentro, su un tappeto scuro. Le foto restano in questa sala.",
        "From above, all cards inside, on a dark cloth. No picture leaves this hall.",
    ),
    "hint_melds": (
        "Prima le combinazioni di ogni linea, con ogni indice in vista.",
        "First the melds of each line, each index in sight.",
    ),
    "hint_hand": (
        "Poi le carte rimaste in mano; chi non ne ha si segna più sotto.",
        "Then the cards left in a hand; whoever has none is ticked below.",
    ),
    "hint_hands": ("O le due mani di una linea insieme.", "Or both hands of a line together."),
    "hint_table": (
        "O tutte e quattro insieme, dal lato di Sud, ognuna davanti al suo posto.",
        "Or all four together, from South's side, each before its own seat.",
    ),
    "hint_pot": ("Solo se un pozzetto fu preso e non giocato.", "Only if a pot was taken and not played."),
    "melds": ("Combinazioni", "Melds"),
    "hands": ("Mani", "Hands"),
    "hand": ("Mano", "Hand"),
    "pot": ("Pozzetto", "Pot"),
    "table_whole": ("Le quattro mani", "All four hands"),
    "pbn_file": ("Salva come PBN", "Save as PBN"),
    "pile": ("Prese", "Pile"),
    "accusi": ("Accusi", "Accusi"),
    "reading": ("Leggo la fotografia…", "Reading the picture…"),
    "read_cards": ("Carte lette", "Cards read"),
    "read_hint": (
        "Toccate una carta per correggerla. Rosso: da guardare.",
        "Tap a card to change it. Red: look at it.",
    ),
    "nothing_yet": ("Ancora nessuna fotografia.", "No picture yet."),
    "whose": ("Di chi è", "Whose it is"),
    "add": ("Aggiungi una carta", "Add a card"),
    "checked": ("Tutto giusto così", "All right as it is"),
    "frame": ("Riquadro: segna una combinazione", "Frame: mark one meld"),
    "swap": ("Scambia NS e EW", "Swap NS and EW"),
    "join": ("Unisci alla combinazione seguente", "Join with the next meld"),
    "picture_right": ("Guardata: nessuna carta manca o è sbagliata", "Looked at: no card is missing or wrong"),
    "remove_group": ("Togli", "Remove"),
    "card": ("Carta", "Card"),
    "rank": ("Valore", "Rank"),
    "suit": ("Seme", "Suit"),
    "offers": ("Proposte", "Offers"),
    "unknown": ("Non si legge", "Cannot be read"),
    "remove": ("Togli la carta", "Remove the card"),
    "cancel": ("Annulla", "Cancel"),
    "facts": ("Che cosa non si vede", "What no picture shows"),
    "closed": ("Chi ha chiuso", "Who has closed"),
    "nobody": ("Nessuno", "Nobody"),
    "pot_of": ("Pozzetto di", "Pot of"),
    "taken": ("preso", "taken"),
    "not-taken": ("non preso", "not taken"),
    "taken-unplayed": ("preso, non giocato", "taken, not played"),
    "not_said": ("non detto", "not said"),
    "empty_hand": ("È senza carte", "Has no cards"),
    "last_trick": ("Chi ha l’ultima presa", "Who has the last trick"),
    "contract": ("Contratto", "Contract"),
    "doubled": ("Contro", "Doubled"),
    "declarer": ("Dichiarante", "Declarer"),
    "vulnerable": ("Zona", "Vulnerable"),
    "tricks": ("Prese", "Tricks"),
    "board": ("Board", "Board"),
    "sheet": ("Punteggio", "Score"),
    "total": ("Totale", "Total"),
    "written": ("Scritto a mano", "Written by hand"),
    "differs": (
        "{line}, {item}: scritto {written}, le fotografie dicono {seen}{why}.",
        "{line}, {item}: written {written}, the pictures say {seen}{why}.",
    ),
    "notes": ("Da guardare", "To look at"),
    "sign": ("Confermano", "They confirm"),
    "sign_line": ("Confermato da", "Confirmed by"),
    "keep": ("Conserva", "Keep"),
    "table": ("Tavolo", "Table"),
    "no_table": ("nessuno: fuori dagli score", "none: not in the sheets"),
    "deal": ("Smazzata", "Deal"),
    "to_sheet": ("Apri lo score", "Open the sheet"),
    "adds_up": ("le voci scritte danno {sum}", "the written items add up to {sum}"),
    "made_of": ("{card} vale {value}", "{card} counts {value}"),
    "kept": ("Conservato.", "Kept."),
    "who": ("Nome di chi inserisce", "Name of who enters it"),
    "new": ("Nuova smazzata", "New deal"),
    "no_connection": (
        "La sala non risponde: tutto resta su questo telefono e parte da solo appena risponde.",
        "The hall does not answer: all stays on this phone and goes by itself as soon as it does.",
    ),
    "keeps_here": (
        "La sala non risponde: la smazzata confermata resta su questo telefono e parte da sola.",
        "The hall does not answer: the confirmed deal stays on this phone and goes by itself.",
    ),
    "no_room": (
        "Questo telefono non ha posto per conservare le fotografie: non chiudete la pagina.",
        "This phone has no room to keep the pictures: do not close the page.",
    ),
    "refused": ("La sala non lo accetta: ricaricate la pagina.", "The hall does not take it: load the page again."),
    "look_later": (
        "Le fotografie non sono ancora lette: la smazzata resta qui sotto; confermate quando le carte si vedono.",
        "The pictures are not read yet: the deal stays below; confirm it once the cards are seen.",
    ),
    "all_right": (
        "Guardate tutte le fotografie: nessuna carta manca o è sbagliata",
        "All pictures looked at: no card is missing or wrong",
    ),
    "waiting": ("Altre smazzate su questo telefono", "Other deals on this phone"),
    "goes_by_itself": ("confermata, parte da sola", "confirmed, goes by itself"),
    "not_read_yet": ("fotografie non ancora lette", "pictures not read yet"),
    "look_and_confirm": ("da guardare e confermare", "to be looked at and confirmed"),
    "open": ("Apri", "Open"),
    "give_up": ("Elimina", "Delete"),
    "not_opened": (
        "Questa fotografia non si apre. iPhone: Impostazioni, Fotocamera, Formati, Più compatibile; poi riprovate.",
        "This picture cannot be opened. iPhone: Settings, Camera, Formats, Most Compatible; then try again.",
    ),
    "hearts": ("Cuori", "Hearts"),
    "diamonds": ("Quadri", "Diamonds"),
    "clubs": ("Fiori", "Clubs"),
    "spades": ("Picche", "Spades"),
    "joker": ("Jolly", "Joker"),
}


def page_words(language: str) -> dict[str, str]:
    """Return the words in ``language``, ``it`` or ``en``."""
    place = 0 if language == "it" else 1
    return {name: both[place] for name, both in WORDS.items()}
