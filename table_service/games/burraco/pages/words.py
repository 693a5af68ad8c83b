"""Texts of Burraco's pages: the board, the zones, ends of a deal; its events as sentences. Italian, then English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hw.seats import SEATS
from table_service.events.untrusted import as_map
from table_service.games.game_pages import Document, Text

WORDS: Final[Mapping[str, Text]] = {
    "to_draw": ("deve pescare", "to draw"),
    "to_play": ("deve scartare", "to discard"),
    "pots_left": ("ancora sul tavolo", "still on the table"),
    "has_pot": ("ha il pozzetto", "has the pot"),
    "stock": ("Tallone", "Stock"),
    "pots": ("Pozzetti", "Pots"),
    "pot_taken": ("preso", "taken"),
    "pile": ("Monte degli scarti", "Discard pile"),
    "pile_empty": ("vuoto", "empty"),
    "melds_of": ("Combinazioni di", "Melds of"),
    "no_melds": ("nessuna combinazione", "no melds yet"),
    "side": ("Carte penalizzate", "Penalised cards"),
    "set": ("Combinazione", "Set"),
    "run": ("Sequenza", "Run"),
    "meld": ("Da leggere", "Unread"),
    "stands_for": ("al posto di", "as"),
    "burraco": ("burraco", "burraco"),
    "dirty": ("sporco", "dirty"),
    "semi-clean": ("semipulito", "semi-clean"),
    "clean": ("pulito", "clean"),
    "super-clean": ("superpulito", "super-clean"),
    "over-the-top": ("oltre", "over the top"),
    "frozen_temporary": ("congelata per ora", "frozen for now"),
    "frozen_definitive": ("congelata", "frozen"),
    "not_valid": ("non valida", "not valid"),
    "zone_stock": ("tallone", "stock"),
    "zone_discard": ("monte degli scarti", "discard pile"),
    "zone_pots": ("pozzetti", "pots"),
    "zone_melds-line": ("combinazioni {line}", "{line} melds"),
    "manner_closed": ("chiusa", "gone out"),
    "manner_stock": ("tallone esaurito", "stock exhausted"),
    "manner_stalemate": ("stallo", "stalemate"),
    "mark_pot": ("pozzetto", "pot"),
}
SENTENCES: Final[Mapping[str, Text]] = {
    "card.drawn": ("{who} pesca dal tallone", "{who} draws from the stock"),
    "pile.collected": ("{who} raccoglie il monte degli scarti", "{who} collects the discard pile"),
    "meld.opened": ("{who} apre", "{who} opens"),
    "meld.extended": ("{who} lega", "{who} extends"),
    "meld.changed.reordered": ("Combinazione riordinata", "Meld put in another order"),
    "meld.changed.taken-out": ("{who} toglie carte da una combinazione", "{who} takes cards out of a meld"),
    "meld.changed.corrected": ("Combinazione letta meglio", "Meld read better"),
    "meld.changed.uncovered": ("Carta venuta alla luce in un gioco", "A card has come to light in a meld"),
    "meld.changed.frozen": ("Combinazione congelata", "Meld frozen"),
    "meld.changed.thawed": ("Combinazione di nuovo libera", "Meld free again"),
    "card.discarded": ("{who} scarta", "{who} discards"),
    "pot.taken.discard": ("{who} prende il pozzetto con lo scarto", "{who} takes the pot with the discard"),
    "pot.taken.in-flight": ("{who} prende il pozzetto in diretta", "{who} takes the pot in flight"),
    "card.exposed": ("Carta scoperta davanti a {who}", "A card lies exposed before {who}"),
    "card.returned": ("{who} rimette a posto", "{who} puts back"),
    "card.returned.stock": ("{who} rimette sul tallone", "{who} puts back on the stock"),
    "card.returned.discard": ("{who} rimette sul monte degli scarti", "{who} puts back on the discard pile"),
    "card.returned.pots": ("{who} rimette nel pozzetto", "{who} puts back into the pot"),
    **{f"card.returned.hand-{seat}": ("{who} riprende in mano", "{who} takes back into the hand") for seat in SEATS},
    **{f"card.returned.side-{seat}": ("{who} mette da parte", "{who} sets aside") for seat in SEATS},
    "card.turned": ("Carta voltata davanti a {who}", "A card is turned before {who}"),
    "countdown.ended": ("È finito il tempo di {who}", "The time of {who} is over"),
    "deal.ended.closed": ("{who} chiude: la smazzata è finita", "{who} goes out: the deal is over"),
    "deal.ended.stock": ("Tallone esaurito: la smazzata è finita", "Stock exhausted: the deal is over"),
    "deal.ended.stalemate": ("Stallo: la smazzata è finita", "Stalemate: the deal is over"),
}
"""Events as sentences, by type and variant."""
VARIANTS: Final = {"meld.changed": "why", "pot.taken": "manner", "card.returned": "to"}


def _of_meld(data: Document) -> object:
    return as_map(data.get("meld")).get("cards")


CARDS: Final[Mapping[str, Callable[[Document], object]]] = {
    "pile.collected": lambda data: data.get("cards"),
    "meld.opened": _of_meld,
    "meld.extended": lambda data: data.get("added") or _of_meld(data),
    "meld.changed": _of_meld,
    "card.discarded": lambda data: [data.get("card")],
    "card.exposed": lambda data: data.get("cards"),
    "card.returned": lambda data: data.get("cards"),
}
"""Where an event of a type names public cards."""
MOVES: Final = frozenset(
    {"card.drawn", "pile.collected", "meld.opened", "meld.extended", "meld.changed", "card.discarded", "card.exposed"}
    | {"card.returned", "card.turned", "pot.taken"}
)
"""Events that tell of cards."""
