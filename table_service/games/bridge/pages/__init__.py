"""Bridge on pages: its board, words and sentences, and a past board folded from its events."""

from __future__ import annotations

from typing import Final

from table_service.games.bridge.pages.award_form import AWARD_FORM
from table_service.games.bridge.pages.board import agreement_of, head_of, middle_of
from table_service.games.bridge.pages.board_reports import ARBITRO_REPORT, COURSE
from table_service.games.bridge.pages.data_connector import DATA_CONNECTOR
from table_service.games.bridge.pages.deal_order import DEAL_ORDER
from table_service.games.bridge.pages.event_files import EVENT_RESULTS
from table_service.games.bridge.pages.hand_records import EVENT_HANDS, HAND_RECORDS
from table_service.games.bridge.pages.moments import moments
from table_service.games.bridge.pages.protest_form import PROTEST_FORM
from table_service.games.bridge.pages.slow_play import SLOW_PLAY
from table_service.games.bridge.pages.tempo_log import SEALED_TYPES, TEMPO_LOG
from table_service.games.bridge.pages.traveller import SESSION_BOARDS, TRAVELLER
from table_service.games.bridge.pages.words import CARDS, DECLARATIONS, MOVES, SENTENCES, STATED, TRICK_CARD, WORDS
from table_service.games.game_pages import GamePages
from table_service.games.tricks.open_trick import counts_of, rows_of

PAGES: Final = GamePages(
    name="bridge",
    templates="table_service.games.bridge.pages",
    middle="board.html",
    middle_of=middle_of,
    head_of=head_of,
    rows_of=rows_of,
    counts_of=counts_of,
    moments=moments,
    awaited=lambda _turn: "to_play",
    words=WORDS,
    sentences=SENTENCES,
    variants={"deal.ended": "manner", "call.made": "call", "contract.made": "contract"},
    cards=CARDS,
    moves=MOVES,
    summed_up=frozenset({"trick.played", "tray.passed"}),
    marks={"tray.passed": "tray", "claim.made": "claim"},
    declarations=DECLARATIONS,
    stated_numbers=STATED,
    trick_card=TRICK_CARD,
    agreement_of=agreement_of,
    deal_order=DEAL_ORDER,
    award_form=AWARD_FORM,
    deal_reports=(COURSE, TEMPO_LOG, ARBITRO_REPORT, PROTEST_FORM),
    round_reports=(TRAVELLER, HAND_RECORDS, SLOW_PLAY),
    event_reports=(EVENT_RESULTS, SESSION_BOARDS, EVENT_HANDS),
    scoring_protocols=(DATA_CONNECTOR,),
    sealed_types=SEALED_TYPES,
)

__all__ = ["PAGES"]
