"""Differences between the codes of Burraco, each bound to the data that holds it.

A difference is held by fields of the rule book, by rows of the catalogues, or by both. If ``told`` is False, no sensor
detects its fact: the rows are the arbitro's to enter, the fields say what they would do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from table_service.games.burraco.codes.edition import Edition
from table_service.referee.catalogue import Words

_CODES: Final = ("fibur2024", "feburit", "online")


@dataclass(frozen=True, slots=True)
class CodeDifference:
    """``fields``: paths from the rule book, or from the tournament's rules where they begin with ``tournament.``.

    ``articles``, ``rows``: by the name of a code; a code that is not among them is silent.
    """

    id: str
    title: Words
    articles: Mapping[str, str]
    fields: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    told: bool = True

    def values(self, edition: Edition) -> dict[str, Any]:
        """Return what ``edition`` says, by field; None where it knows no such thing."""
        return {path: value_of(edition, path) for path in self.fields}


def value_of(edition: Edition, path: str) -> Any:
    """Return the value of a field by its path; None if a part of the way there is None."""
    names = path.split(".")
    value: Any = edition.catalogue.tournament if names[0] == "tournament" else edition.book
    for name in names[1:] if names[0] == "tournament" else names:
        value = None if value is None else getattr(value, name)
    return value


def _by_code(texts: tuple[str, ...]) -> Mapping[str, str]:
    return MappingProxyType({code: text for code, text in zip(_CODES, texts, strict=False) if text})


def _differ(
    name: str,
    titles: tuple[str, str],
    articles: tuple[str, ...],
    fields: str,
    rows: tuple[str, ...] = (),
    *,
    told: bool = True,
) -> CodeDifference:
    held = {code: tuple(text.split()) for code, text in _by_code(rows).items()}
    return CodeDifference(
        name, Words(*titles), _by_code(articles), tuple(fields.split()), MappingProxyType(held), told=told
    )


DIFFERENCES: Final[tuple[CodeDifference, ...]] = (
    _differ("D-01", ("Che cosa è una carta esposta", "What an exposed card is"), ("def., 24", "def., 10", "–"),
            "exposed_to", ("F-24a", "B-10a B-10e B-10h")),
    _differ("D-02", ("Che cosa si fa della carta esposta", "What is done with an exposed card"), ("24", "10"),
            "exposed.played exposed.one_left exposed.several_left exposed.out_of_turn", ("F-24a", "B-10a B-10b B-10e")),
    _differ("D-03", ("Ordine di scarto delle penalizzate", "Order in which penalised cards go"), ("def.", "10, 11"),
            "penalised.order", ("F-25a", "B-G03")),
    _differ("D-04", ("Gioco con penalizzate in attesa", "Play while penalised cards wait"), ("25, 27", "10, 11"),
            "penalised.melds_before_them penalised.bar", ("F-27b", "B-G03")),
    _differ("D-05", ("Chiusura senza burraco", "Closing without a burraco"), ("33", "21 A", "Chiusura"),
            "wrong_closing.without_burraco wrong_closing.bar", ("F-33", "B-21a", "O-29")),
    _differ("D-06", ("Chiusura con una matta", "Closing with a wild"), ("34", "21 B", "Ulteriori regole"),
            "wrong_closing.with_wild", ("F-34", "B-21b", "O-29")),
    _differ("D-07", ("Chiusura senza scarto", "Closing without a discard"), ("35", "21 C", "Ulteriori regole"),
            "wrong_closing.without_discard", ("F-35a F-35b", "B-21c", "O-29")),
    _differ("D-08", ("Mancata pesca", "Play without drawing"), ("30", "13", "Il giocatore di turno"),
            "missed_draw.takes missed_draw.after_discard", ("F-30a F-30b", "B-13a B-13b B-13c", "O-22")),
    _differ("D-09", ("Presa fuori turno con giochi", "Draw or pick-up out of turn with melds"),
            ("31", "14.1", "Il giocatore di turno"),
            "out_of_turn.with_melds out_of_turn.unknown_card out_of_turn.next_turn",
            ("F-31b F-31c F-31e", "B-14b B-14i", "O-20")),
    _differ("D-10", ("Monte degli scarti avvicinato a sé", "Pile drawn near"), ("9", "def., 16"),
            "taking.pile_drawn_near", ("F-09a", "B-06b B-16c")),
    _differ("D-11", ("Più carte del monte lasciate", "Several pile cards left"), ("9", "16", "Il giocatore di turno"),
            "taking.several_left", ("F-09f", "B-16b", "O-28")),
    _differ("D-12", ("Seconda carta pescata", "Second card drawn"), ("8", "6", "Il giocatore di turno"),
            "taking.second_card", ("F-08a", "B-06a", "O-21")),
    _differ("D-13", ("Domanda sul numero delle carte", "Asking how many cards are held"), ("4, separé", "6"),
            "table.hand_counts", ("F-04m F-S2", "B-06e"), told=False),
    _differ("D-14", ("Ultimo giro dopo il time-out", "Last round after the time-out"), ("15", "22"),
            "time.last_round", ("F-15a F-15b F-15c", "B-22")),
    _differ("D-15", ("Minuti dei turni", "Minutes of a round"), ("6", "5", "–"), "round_minutes", ("F-06b", "B-05")),
    _differ("D-16", ("Classi di burraco", "Classes of burraco"), ("13", "8", "Burrachi"), "bonuses inner_wild",
            ("F-13b", "B-08b", "O-13")),
    _differ("D-17", ("Pozzetto che nessuna linea ha preso", "Pot that neither line took"), ("18", "23", "Punteggio"),
            "pot_malus_when_neither_took", ("F-18", "B-23d", "O-08")),
    _differ("D-18", ("Due combinazioni uguali", "Two sets of a rank"), ("–", "15", "Regole per aprire"), "equal_sets",
            ("", "B-15a B-15b", "O-02 O-24")),
    _differ("D-19", ("Chi mescola, chi taglia, dove stanno i pozzetti", "Who shuffles and cuts, where the pots lie"),
            ("4", "4", "La distribuzione iniziale"), "", ("F-04a F-04h F-04l", "B-04g", "O-09"), told=False),
    _differ("D-20", ("Consegna del pozzetto", "Handing over the pot"), ("23", "–"), "pot.handed_by", ("F-23b",)),
    _differ("D-21", ("Pozzetto con un numero sbagliato di carte", "Pot with a wrong number of cards"), ("23", "17"),
            "pot.repaired", ("F-23c F-23d", "B-17a B-17b")),
    _differ("D-22", ("Errata distribuzione a gioco iniziato", "Misdeal once play has begun"), ("4", "4"),
            "table.begins", ("F-04d F-04f", "B-04b B-04c")),
    _differ("D-23", ("Pozzetto visto prima del tempo", "Pot looked at early"), ("23, separé", "19"), "",
            ("F-23f F-S5", "B-19"), told=False),
    _differ("D-24", ("Carta fantasma", "Ghost card"), ("26", "10"), "ghosts.in_turn ghosts.later ghosts.freezes",
            ("F-26a F-26b F-26c F-26d F-26e", "B-10c B-10d B-10f B-10g")),
    _differ("D-25", ("Chi può rilevare un errore", "Who may point out a fault"), ("procedura, 21", "premessa, 13"),
            "table.points_out", ("F-G03 F-21a F-21c F-21d F-30b", "B-G02")),
    _differ("D-26", ("Stallo", "Stalemate"), ("16", "def., 20", "–"), "stalemate_turns stalemate_row",
            ("F-16", "B-20b")),
    _differ("D-27", ("Ritardo", "Late arrival"), ("39", "26"), "", ("F-39 F-39b", "B-26"), told=False),
    _differ("D-28", ("Vittoria senza gioco, riposo", "Win by default, bye"), ("38, 39", "25, 26"),
            "tournament.defaults", ("F-38d F-38e F-38g F-39", "B-25 B-25b B-25d B-26"), told=False),
    _differ("D-29", ("Matta libera posta in alto", "Free wild laid on top"), ("10, 29", "6"),
            "table.free_wild_on_top", ("F-10c", "B-06g")),
    _differ("D-30", ("Carte uguali in una combinazione", "Equal cards in a set"),
            ("5 N.B., 12", "7", "Regole per aprire"), "set_naturals set_cards same_face_per_set",
            ("F-05d F-12", "B-07a", "O-12")),
    _differ("D-31", ("Ammonizioni ripetute", "Repeated warnings"), ("def., poteri d", "4, 6, 19, 23, 26", "–"),
            "warnings tournament.warning_count",
            ("F-G04", "B-04c B-06e B-06f B-19 B-23c B-26"), told=False),
    _differ("D-32", ("Pozzetto in diretta per un gioco errato", "Pot reached in flight by a faulty play"),
            ("23", "15, 10 I"), "pot.flight_by_fault", ("F-23j F-23k F-23l F-23m", "B-15a B-10k")),
    _differ("D-33", ("Tabelle dei V.P.", "Tables of victory points"), ("18", "27", "–"), "vp_tables vp_teams",
            ("F-18c", "B-27")),
    _differ("D-34", ("Giochi dopo lo scarto", "Melds after the discard"), ("27", "14.3", "Il giocatore di turno"),
            "out_of_turn.after_discard", ("F-27a", "B-14d", "O-32")),
    _differ("D-35", ("Giochi fuori turno senza pesca", "Melds out of turn without a draw"),
            ("32", "14.2", "Il giocatore di turno"), "out_of_turn.without_draw", ("F-32", "B-14c", "O-32")),
    _differ("D-36", ("Quando una carta è giocata", "When a card is played"), ("def.", "def., 6"),
            "table.card_is_played", ("F-G07", "B-06c")),
    _differ("D-37", ("Come si sana un gioco errato", "How a wrong meld is put right"),
            ("29", "10", "Regole per aprire"),
            "mending.opened_without_wild mending.opened_with_wild mending.one_of_several mending.added_to_set "
            "mending.after_other_play", ("F-29b F-29c F-29d", "B-10j B-10k B-10l B-10n", "O-23")),
    _differ("D-38", ("Gioco errato rilevato dopo lo scarto", "Wrong meld found after the discard"), ("25", "10"),
            "mending.after_discard", ("F-25b", "B-10m")),
    _differ("D-39", ("Suggerimenti", "Hints"), ("22", "11"), "", ("F-22a F-22c F-30d", "B-11b B-11c"), told=False),
    _differ("D-40", ("Sequenza riordinata dal compagno", "Run put in order by the partner"), ("11", "11"), "",
            ("F-11b", "B-11e")),
    _differ("D-41", ("Lancio, passaggio; gioco dopo la chiamata", "Throwing, passing; play after the call"),
            ("28", "14.4"), "", ("F-28a F-28b F-28f F-28g", "B-14e")),
    _differ("D-42", ("Unica carta del monte scartata, senza altre", "Only pile card discarded, no other left"),
            ("9", "16", "Il giocatore di turno"), "taking.sole_card_discarded", ("F-09g", "B-16e", "O-27")),
    _differ("D-43", ("Mani mostrate per errore, carte mischiate", "Hands shown by mistake, cards mixed"),
            ("24, 36", "23"), "exposed.shown_after_wrong_closing", ("F-24d F-36", "B-23b B-23c")),
    _differ("D-44", ("Score e sostituzioni", "Score sheet and substitution"), ("19, 38", "24, 25"), "",
            ("F-19a F-38 F-38b", "B-24 B-25"), told=False),
    _differ("D-45", ("Perdita del diritto alla penalità", "Loss of the right to a penalty"),
            ("irregolarità", "premessa", "–"), "table.right_lapses", ("F-G01 F-G02", "B-G01")),
    _differ("D-46", ("Ultimo gioco", "Last play"), ("def.", "def., 21 C"), "wrong_closing.last_play",
            ("F-33 F-35b", "B-21a B-21b B-21c")),
    _differ("D-47", ("Durata del congelamento temporaneo", "Length of a temporary freeze"), ("def.", "def."),
            "table.temporary_freeze", ("F-G06", "B-G04")),
    _differ("D-48", ("Davanti a chi stanno i giochi", "Before whom the melds lie"),
            ("4", "6", "Regole per allungare"), "table.keepers", ("F-04n", "B-06i", "O-12")),
    _differ("D-49", ("Pozzetto preso per errore", "Pot wrongly taken"), ("23", "21 A", "Presa del pozzetto"),
            "pot.wrongly_taken pot.robbed_line robbed_bonus", ("F-23h F-23i F-23n F-23o", "B-21a", "O-30")),
    _differ("D-50", ("Tallone toccato", "Stock touched"), ("8", "6"), "taking.stock_inspected",
            ("F-08c F-08d", "B-06j")),
    _differ("D-51", ("Tempo che resta", "Time left"), ("6", "–", "Tempi"), "time.left time.countdown",
            ("F-06", "", "O-07 O-16 O-31")),
    _differ("D-52", ("Separé e paramani", "Screens and hand-shields"), ("separé", "–", "–"), "table.hand_shields",
            ("F-S1 F-S2 F-S3 F-S4 F-S5",)),
    _differ("D-53", ("Obbligo agli 800 punti, secondo arbitro", "Duty to call at 800 points, second arbitro"),
            ("poteri g, procedura", "–"), "tournament.call_row", ("F-P2 F-G05",)),
    _differ("D-54", ("Gioco lento, angolisti, tavolo sbagliato, interruzione, condotta",
                     "Slow play, kibitzers, wrong table, interruption, conduct"),
            ("37, def., 2, 40, norme", "–"), "", ("F-37 F-B2 F-02 F-40 F-B1",), told=False),
    _differ("D-55", ("Come si segnala un burraco", "How a burraco is marked"), ("13", "8"), "", ("F-13", "B-08"),
            told=False),
    _differ("D-56", ("Quando gli errori fuori turno sono superati", "When faults out of turn are past"),
            ("irregolarità, 31", "13, 14", "–"), "out_of_turn.past", ("F-G01", "B-13d B-14h")),
    _differ("D-57", ("Correzione dello score", "Correction of the score sheet"), ("20", "24"), "",
            ("F-20 F-20b", "B-24 B-24b"), told=False),
    _differ("D-58", ("Uno contro uno", "One against one"), ("2", "2", "Regole del burraco"), "table.seats",
            ("", "B-02", "O-14 O-15")),
)  # fmt: skip
"""D-01 to D-58 of the reference."""
