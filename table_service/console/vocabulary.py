"""Every word the pages say, in Italian and English. No text for people stands anywhere else in the console."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hw.seats import LINES, SEATS, seat_or_none
from table_service.console.part_names import PARTS, zone_name
from table_service.console.settings import Language
from table_service.console.vocabulary_archive import ARCHIVE
from table_service.console.vocabulary_awards import AWARDS
from table_service.console.vocabulary_desk import DESK
from table_service.console.vocabulary_entries import ENTRIES
from table_service.console.vocabulary_evidence import EVIDENCE
from table_service.console.vocabulary_federation import FEDERATION
from table_service.console.vocabulary_remote import REMOTE
from table_service.console.vocabulary_sheets import SHEETS
from table_service.console.vocabulary_sign_in import SIGN_IN
from table_service.console.vocabulary_tournament import TOURNAMENT
from table_service.games.game_pages import GamePages
from table_service.rulesets import RULE_SETS, rule_set_or_default
from table_service.table.score_items import ScoreSheet

AT_ONCE_S: Final = 0.05
"""A picture nearer to the fact shows it."""
WORDS: Final[dict[str, tuple[str, str]]] = {
    # the frame of the page
    "console": ("Console dell’arbitro", "The arbitro’s console"),
    "hall": ("Sala", "Hall"),
    "table": ("Tavolo", "Table"),
    "tables": ("Tavoli", "Tables"),
    "skip": ("Vai al contenuto", "Skip to content"),
    "back_to_hall": ("Tutti i tavoli", "All tables"),
    "other_language": ("English", "Italiano"),
    "theme_dark": ("Scuro", "Dark"),
    "theme_light": ("Chiaro", "Light"),
    "theme": ("Aspetto", "Appearance"),
    "language": ("Lingua", "Language"),
    "no_tables": (
        "Nessun tavolo si è ancora fatto sentire. Appena uno si collega, appare qui.",
        "No table has been heard yet. As soon as one connects, it appears here.",
    ),
    "no_such_table": ("Di questo tavolo non si è sentito nulla.", "Nothing has been heard of this table."),
    "stream_lost": (
        "La pagina ha perso il collegamento con la console: riprova da sola.",
        "The page has lost the console: it keeps trying by itself.",
    ),
    "deed_late": (
        "La console non ha ancora risposto: non si sa se l’ha ricevuto. Attendi, e guarda la pagina prima di ripetere.",
        "The console has not answered yet: it may not have received this. Wait, and look at the page before repeating.",
    ),
    "offline": ("La console non risponde", "The console does not answer"),
    "offline_text": (
        "Questo apparecchio non la raggiunge: controlla la rete. Ciò che i tavoli hanno detto non è perduto.",
        "This device does not reach it: check the network. What the tables have said is not lost.",
    ),
    "broker_short": ("senza broker", "no broker"),
    "broker_lost": (
        "La console non raggiunge il broker: quello che vedi può essere vecchio. Riprova da sola.",
        "The console does not reach the broker: what you see may be old. It keeps trying by itself.",
    ),
    # state of a table
    "status_ready": ("in linea", "on line"),
    "status_init": ("si avvia", "starting"),
    "status_lost": ("non raggiungibile", "out of reach"),
    "status_stopped": ("spento", "switched off"),
    "status_unknown": ("mai sentito", "never heard"),
    "last_heard": ("ultimo segno", "last heard"),
    "deal": ("Smazzata", "Deal"),
    "turn": ("Turno", "Turn"),
    "of": ("di", "of"),
    "last_deal": ("ultima smazzata", "last deal"),
    "no_score": ("non ancora contato", "not counted yet"),
    "doubtful": ("da verificare", "doubtful"),
    "waiting_state": ("In attesa dello stato del tavolo.", "Waiting for the table’s state."),
    "no_deal": ("Nessuna smazzata in corso", "No deal in progress"),
    # seats and lines
    "N": ("Nord", "North"),
    "E": ("Est", "East"),
    "S": ("Sud", "South"),
    "W": ("Ovest", "West"),
    "NS": ("Nord–Sud", "North–South"),
    "EW": ("Est–Ovest", "East–West"),
    "nobody": ("Qualcuno", "Someone"),
    "dealer": ("mazziere", "dealer"),
    "dealer_token": ("M", "D"),
    "hand": ("carte in mano", "cards in hand"),
    "on_turn": ("è di turno", "on turn"),
    # the board
    "board": ("Il tavolo dall’alto", "The table from above"),
    "unknown": ("non si sa", "not known"),
    "unverified": ("da verificare", "unverified"),
    "unverified_help": (
        "Il tavolo qui non ha visto tutto: quello che mostra può non essere più vero.",
        "The table has not seen everything here: what it shows may no longer be true.",
    ),
    "points": ("punti", "points"),
    # alerts
    "alerts": ("Da decidere", "To decide"),
    "no_alerts": ("Nulla attende l’arbitro.", "Nothing waits for the arbitro."),
    "alert_one": ("attende l’arbitro", "waits for the arbitro"),
    "alert_many": ("attendono l’arbitro", "wait for the arbitro"),
    "article": ("art.", "art."),
    "catalogue_row": ("voce", "row"),
    "happened": ("Che cosa è successo", "What happened"),
    "remedy": ("Rimedio proposto", "Proposed remedy"),
    "no_remedy": ("Nessun rimedio: prendine nota.", "No remedy: take note."),
    "options": ("A scelta", "Choice between"),
    "likely": (
        "È probabile, non provato: i sensori di questo tavolo non lo mostrano con certezza. Chiedi e guarda tu.",
        "Likely, not proven: the sensors of this table do not show it for certain. Ask, and look yourself.",
    ),
    "needs_referee": (
        "Il codice lascia la decisione all’arbitro.",
        "The code leaves the decision to the arbitro.",
    ),
    "warn": ("Con ammonizione.", "With a warning."),
    "evidence": ("L’immagine che lo mostra", "The picture that shows it"),
    "evidence_log": ("Dal registro del tavolo, secondo", "From the table’s log, second"),
    "call": ("chiama l’arbitro", "calls the arbitro"),
    "call_text": ("Il giocatore attende al tavolo.", "The player is waiting at the table."),
    "at_time": ("alle", "at"),
    "severity_note": ("nota", "note"),
    "severity_warning": ("ammonizione", "warning"),
    "severity_play-stops": ("gioco fermo", "play stops"),
    "severity_score": ("punteggio", "score"),
    "found_before_play": ("visto prima del gioco", "found before play"),
    "found_during_turn": ("visto durante il turno", "found during the turn"),
    "found_after_discard_before_next_draw": (
        "visto dopo lo scarto, prima della pescata successiva",
        "found after the discard, before the next draw",
    ),
    "found_later": ("visto più tardi", "found later"),
    "found_hand_end": ("visto a fine smazzata", "found at the end of the deal"),
    "ended": ("Già chiuse", "Already closed"),
    "state_open": ("aperta", "open"),
    "state_healed": ("sanata dal gioco", "healed by play"),
    "state_ruled": ("decisa", "ruled"),
    "state_dismissed": ("archiviata", "dismissed"),
    "state_ended": ("chiusa", "closed"),
    "sanctions": ("In vigore", "In force"),
    "more": ("Dettagli", "Details"),
    # the feed
    "feed": ("Che cosa succede", "What happens"),
    "feed_empty": ("Ancora nulla.", "Nothing yet."),
    "late": ("in ritardo", "late"),
    "unsure": ("incerto", "unsure"),
    "unsure_help": ("Il tavolo ne è sicuro al", "The table is sure of it by"),
    # cards
    "back": ("carta coperta o non letta", "card face down or not read"),
    "joker": ("jolly", "joker"),
    "suit_H": ("cuori", "hearts"),
    "suit_D": ("quadri", "diamonds"),
    "suit_C": ("fiori", "clubs"),
    "suit_S": ("picche", "spades"),
    "ranks": ("A 2 3 4 5 6 7 8 9 10 F D R", "A 2 3 4 5 6 7 8 9 10 J Q K"),
    "rank_A": ("asso", "ace"),
    "rank_T": ("dieci", "ten"),
    "rank_J": ("fante", "jack"),
    "rank_Q": ("donna", "queen"),
    "rank_K": ("re", "king"),
}

for _more in (EVIDENCE, DESK, ARCHIVE, AWARDS, SHEETS, REMOTE, PARTS, TOURNAMENT, ENTRIES, FEDERATION, SIGN_IN):
    for _key, _pair in _more.items():
        WORDS.setdefault(_key, _pair)


class Words:
    """The words of one language: ``words["deal"]``. A word that is missing shows its own key, never an error.

    ``game``: whose words are known besides the console's, and whose events are told; the default rule set's where a
    page is about no table. ``seats``: who sits at that table; of two players each is a line, and gives it its name.
    ``names``: of the pairs by line and of the players by seat, as far as they are known.
    """

    def __init__(
        self,
        language: Language,
        game: GamePages | None = None,
        seats: Sequence[str] = (),
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.names: Mapping[str, str] = names
        self.language: Language = language
        self.game: GamePages = game or rule_set_or_default(None).pages
        self._column = 0 if language == "it" else 1
        self._lines: dict[str, str] = dict(zip(LINES, seats, strict=True)) if len(seats) == len(LINES) else {}

    def __getitem__(self, key: str) -> str:
        key = self._lines.get(key, key)
        pair = WORDS.get(key) or self.game.words.get(key)
        return key if pair is None else pair[self._column]

    def get(self, key: str, otherwise: str = "") -> str:
        """Return the word for ``key``, or ``otherwise`` if absent."""
        return self[key] if key in WORDS or key in self.game.words else otherwise

    def say(self, key: str, **terms: object) -> str:
        """Return the sentence for ``key`` with ``terms`` in their places."""
        return self[key].format(**terms)

    def reason(self, told: str) -> str:
        """Why a figure was corrected, as a person wrote it; which column was touched, in this language."""
        column, mark, value = told.partition(": ")
        return f"{self[f'col_{column}']}: {value}" if mark and column in ("written", "ledger", "camera") else told

    def text(self, value: object) -> str:
        """Return a text that the table sent in both languages ({it, en}), or a plain one."""
        if isinstance(value, dict):
            first, second = ("it", "en") if self.language == "it" else ("en", "it")
            value = value.get(first) or value.get(second) or ""
        return value if isinstance(value, str) else ""

    def choose(self, text: tuple[str, str]) -> str:
        """``text``, Italian and English, in this language."""
        return text[self._column]

    def title(self, sheet: ScoreSheet, name: str) -> str:
        """Title of an item, a sum or the total of a score sheet; its name if the sheet has none of it."""
        return self.choose(sheet.title(name) or WORDS.get(f"sum_{name}") or (name, name))

    def moment_dt(self, dt: float | None) -> str:
        """Time of a picture, seen from the fact: seconds before or after it."""
        if dt is None:
            return self["dt_unknown"]
        if abs(dt) < AT_ONCE_S:
            return self["dt_at"]
        seconds = f"{abs(dt):.1f}"
        return self.say("dt_before" if dt < 0 else "dt_after", seconds=self.number(seconds))

    def number(self, text: str) -> str:
        """Return a number with the language's decimal sign."""
        return text.replace(".", ",") if self.language == "it" else text

    def seat(self, value: object) -> str:
        """Return the name of a seat; of an unknown one: someone."""
        return self[value] if isinstance(value, str) and value in SEATS else self["nobody"]

    def who(self, value: object) -> str:
        """Return the name of a seat or a line."""
        return self[value] if isinstance(value, str) and value in (*SEATS, *LINES) else self["nobody"]

    def named(self, value: object) -> str:
        """Return the name of a seat or a line with that of the player or the pair there, if it is known."""
        seat = seat_or_none(value)
        name = self.names.get(str(value)) or (self.names.get(str(seat.line)) if seat is not None else None)
        return f"{self.who(value)} ({name})" if name else self.who(value)

    def is_written(self, code: str) -> bool:
        """Return True if the card ``code`` has no picture: the pages write its name."""
        return code.partition("#")[0] in self.game.card_names and not self.game.pictures

    def pack_drawn(self) -> str:
        """Return the pack of ours whose pictures show the game's cards; empty for the French-suited one."""
        return self.game.pictures

    def is_named(self, code: str) -> bool:
        """Return True if the card ``code`` has a name of its own, which replaces rank and suit in small print."""
        return code.partition("#")[0] in self.game.card_names

    def card(self, code: str) -> str:
        """Return the name of a card in words, for those who hear the page."""
        printed = code.partition("#")[0]
        named = self.game.card_names.get(printed)
        if named is not None:
            return named[0 if self.language == "it" else 1]
        if printed == "JK":
            return self["joker"]
        if len(printed) != 2 or printed == "??":
            return self["back"]
        rank = self.get(f"rank_{printed[0]}", printed[0])
        return f"{rank} {self['of']} {self.get(f'suit_{printed[1]}', printed[1])}"

    def stood_for(self, what: str) -> str:
        """Name of what a wild card represents: a card in a run, a rank in a set."""
        return self.get(f"rank_{what}", what) if len(what) == 1 else self.card(what)

    def article_of(self, article: str) -> str:
        """Return an article as the game's rules call it; a part of them that has a name by its name."""
        return f"{self.choose(self.game.article)} {article}" if article[:1].isdigit() else article

    def card_keys(self) -> str:
        """Return the keys of a pack that is not French, as JSON for the page's picker; empty for the French one."""
        keys = self.game.card_keys
        if keys is None:
            return ""
        column = self._column
        rows = {"ranks": keys.ranks, "suits": keys.suits, "alone": keys.alone}
        told = {name: [[key.sign[column], key.code] for key in some] for name, some in rows.items()}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    def cards_example(self) -> str:
        """Return a few cards as this reader writes them."""
        keys = self.game.card_keys
        return self["cards_hint"] if keys is None else self.choose(keys.hint)

    def zone(self, zone: str) -> str:
        """Return the name of a zone of the table."""
        return zone_name(self, zone)


def pair(key: str) -> tuple[str, str]:
    """Return a key's words in Italian and English."""
    return WORDS.get(key) or next(one.pages.words[key] for one in RULE_SETS.values() if key in one.pages.words)
