"""The words of an alert's pictures: which moment each shows, why one is not there. Italian first, English second."""

from __future__ import annotations

from typing import Final

EVIDENCE: Final[dict[str, tuple[str, str]]] = {
    "pictures": ("Immagini", "Pictures"),
    "frame_card": ("in rosso: {name}", "in red: {name}"),
    "frame_unsure": ("in ambra, forse: {name}", "in amber, perhaps: {name}"),
    "frame_zone": ("in azzurro: {name}", "in blue: {name}"),
    "no_pictures": ("Nessuna immagine", "No pictures"),
    "picture_zoom": ("ingrandisci", "enlarge"),
    "picture_close": ("Chiudi", "Close"),
    "picture_prev": ("Immagine precedente", "Previous picture"),
    "picture_next": ("Immagine successiva", "Next picture"),
    "picture_help": (
        "Si apre sul fatto: tocca per il tavolo intero, trascina o allarga con due dita; frecce cambiano, Esc chiude.",
        "It opens at the fact: tap for the whole table, drag or spread two fingers; arrows to change, Esc closes.",
    ),
    "picture_again": ("Riprova", "Try again"),
    "film": ("Filmato", "Film"),
    "film_span": ("{n} immagini, da {first} a {last} s", "{n} pictures, {first} to {last} s"),
    "film_play": ("Guarda", "Play"),
    "film_stop": ("Ferma", "Stop"),
    "film_slider": ("Momento del filmato", "Moment of the film"),
    "film_sheet": ("tutte le immagini su un foglio", "all pictures on one sheet"),
    "film_coming": ("arriva pochi secondi dopo il fatto.", "it comes some seconds after the fact."),
    "film_no-frame": ("non ci sono abbastanza immagini.", "there are not enough pictures."),
    "moment_before": ("Prima", "Before"),
    "moment_at": ("Al fatto", "At the fact"),
    "moment_after": ("Dopo", "After"),
    "dt_before": ("{seconds} s prima del fatto", "{seconds} s before the fact"),
    "dt_at": ("nel momento del fatto", "at the moment of the fact"),
    "dt_after": ("{seconds} s dopo il fatto", "{seconds} s after the fact"),
    "dt_unknown": ("in un momento non noto", "at a moment that is not known"),
    "picture_alt": ("Il tavolo dall’alto, {when}", "The table from above, {when}"),
    "picture_covered": ("qualcosa copre la zona", "something covers the place"),
    "marked_no": (
        "la carta qui non si legge: coperta, o dove le mani sono oscurate",
        "the card cannot be read here: covered, or where hands are painted out",
    ),
    "marked_unsure": ("due carte uguali: segnate entrambe con ?", "two such cards: both are marked with ?"),
    "picture_checked": ("è quella registrata dal tavolo", "it is the one that the table recorded"),
    "no_picture": ("Nessuna immagine", "No picture"),
    "why_coming": ("Arriva tra poco: il tavolo la sta scegliendo.", "It comes in a moment: the table is choosing it."),
    "why_no-camera": (
        "Il tavolo non ha una telecamera, o non ha ancora visto nulla.",
        "The table has no camera, or it has not seen anything yet.",
    ),
    "why_camera-lost": (
        "La telecamera non vedeva in quel momento (spenta, coperta o fuori fuoco).",
        "The camera did not see at that moment (off, covered or out of focus).",
    ),
    "why_too-late": (
        "Il fatto è stato trovato troppo tardi: il tavolo tiene in memoria solo gli ultimi minuti.",
        "The fact was found too late: the table holds only the last minutes in memory.",
    ),
    "why_no-frame": (
        "La telecamera non ha dato immagini vicine a quel momento.",
        "The camera gave no picture near that moment.",
    ),
    "why_no-moment": ("Non si sa quando è successo.", "Nobody knows when it happened."),
    "why_disk": (
        "Il disco del tavolo non ha preso l’immagine (pieno o non scrivibile).",
        "The table’s disk did not take the picture (full or not writable).",
    ),
    "why_pruned": (
        "Non c’è più: il tavolo l’ha tolta per età o per spazio, e lo ha annotato.",
        "It is gone: the table removed it for age or space, and noted so.",
    ),
    "why_gone": (
        "Il file manca al tavolo senza che il giornale lo dica: va chiarito.",
        "The file is missing at the table and its journal does not say why: look into it.",
    ),
    "why_changed": (
        "L’immagine al tavolo non è quella registrata nel giornale: non si mostra.",
        "The picture at the table is not the one that its journal noted: it is not shown.",
    ),
    "why_wrong": (
        "È arrivata un’immagine con un’impronta diversa da quella del giornale: non si mostra.",
        "A picture came whose hash is not the journal’s: it is not shown.",
    ),
    "why_unknown": ("Il tavolo non conosce questa immagine.", "The table does not know this picture."),
    "why_out-of-reach": (
        "Il tavolo non è raggiungibile: l’immagine è conservata là e arriverà quando torna.",
        "The table is out of reach: the picture is kept there and comes when it is back.",
    ),
    "why_no-answer": ("Il tavolo non ha risposto alla richiesta.", "The table did not answer the request."),
    "why_refused": ("Il tavolo non ha accettato la richiesta.", "The table refused the request."),
}
