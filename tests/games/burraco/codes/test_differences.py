"""The 58 differences between the codes: each bound to the data that holds it, with the values of the texts.

The values stand here a second time, read from the texts (seeds 000 to 002); what acts on them is tested with the code
it belongs to.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from lab.codes.code_differences import DIFFERENCES, CodeDifference, value_of
from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.rules.policies import NO_BAR, ClosingBar, Countdown
from table_service.games.burraco.rules.rulebook import NEVER

ROOT: Final = Path(__file__).resolve().parents[4]
REFERENCE: Final = ROOT.parent / "shared" / "reference" / "burraco_catalogue.json"
CODES: Final = ("fibur2024", "feburit", "online")
_BAR: Final = ClosingBar(offender="turn-after-last-penalised-discard", partner="round-of-the-fault")
_SILENT: Final = "unregulated"

TEXTS: Final[dict[str, dict[str, tuple[Any, Any, Any]]]] = {
    "D-01": {"exposed_to": ("partner", "anyone", "nobody")},
    "D-02": {
        "exposed.played": ("any-time-in-turn", "first", None),
        "exposed.one_left": ("penalised", "discarded-at-once", None),
        "exposed.several_left": ("penalised", "penalised-and-play-stops", None),
        "exposed.out_of_turn": ("as-in-turn", "played-and-play-stops", None),
    },
    "D-03": {"penalised.order": ("highest-first", "lowest-first", None)},
    "D-04": {
        "penalised.melds_before_them": ("frozen-in-turn-of-the-fault", "free", None),
        "penalised.bar": (NO_BAR, _BAR, None),
    },
    "D-05": {
        "wrong_closing.without_burraco": ("penalised", "penalised", "taken-back"),
        "wrong_closing.bar": (NO_BAR, _BAR, NO_BAR),
    },
    "D-06": {"wrong_closing.with_wild": ("back-to-hand", "penalised", "taken-back")},
    "D-07": {
        "wrong_closing.without_discard": ("new-meld-gives-discard", "single-card-and-play-before", "taken-back"),
    },
    "D-08": {
        "missed_draw.takes": ("draw-or-collect", "draw", "draw-or-collect"),
        "missed_draw.after_discard": ("as-in-turn", "draws-and-next-turn-limited", "taken-back"),
    },
    "D-09": {
        "out_of_turn.with_melds": ("mended-and-frozen", "last-penalised-others-frozen", "taken-back"),
        "out_of_turn.unknown_card": ("random", "highest-value", _SILENT),
        "out_of_turn.next_turn": ("same-act", "draw-or-collect", _SILENT),
    },
    "D-10": {"taking.pile_drawn_near": ("inspection", "taken", _SILENT)},
    "D-11": {"taking.several_left": ("highest-rank-is-discard", "lowest-collected-is-discarded", "taken-back")},
    "D-12": {"taking.second_card": ("shown-to-next-opponent", "shown-if-seen", "taken-back")},
    "D-13": {"table.hand_counts": ("own-turn", "forbidden", _SILENT)},
    "D-14": {"time.last_round": ("first-served-to-dealer", "still-to-draw-to-playing", _SILENT)},
    "D-15": {"round_minutes": ({2: 25, 3: 32, 4: 42}, {2: 25, 3: 35, 4: 45}, {})},
    "D-16": {
        "bonuses": (
            {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200},
            {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200, "super-clean": 250, "over-the-top": 300},
            {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200},
        ),
        "inner_wild": ("semi-clean", "semi-clean", "semi-clean"),
    },
    "D-17": {"pot_malus_when_neither_took": (False, True, True)},
    "D-18": {"equal_sets": ("allowed", "joined-and-frozen", "refused")},
    "D-20": {"pot.handed_by": ("opponent", _SILENT, _SILENT)},
    "D-21": {"pot.repaired": ("first-when-handed", "either-unseen", _SILENT)},
    "D-22": {"table.begins": ("first-draw", "turn-up", _SILENT)},
    "D-24": {
        "ghosts.in_turn": ("penalised", "seen-played-or-discarded-at-once", None),
        "ghosts.later": ("next-of-the-line-discards", "offender-discards-at-once-and-stops", None),
        "ghosts.freezes": (True, False, None),
    },
    "D-25": {"table.points_out": ("opponents-and-partner-after-discard", "anyone", _SILENT)},
    "D-26": {"stalemate_turns": (4, 9, NEVER), "stalemate_row": ("F-16", "B-20b", "")},
    "D-28": {
        "tournament.defaults": (
            {2: (14, 305), 3: (14, 355), 4: (13, 505), 0: (13, 555)},
            {2: (13, 450), 3: (13, 450), 4: (13, 450), 0: (13, 450)},
            {},
        ),
    },
    "D-29": {"table.free_wild_on_top": ("counts-as-low", "binds-to-go-on", _SILENT)},
    "D-30": {"set_naturals": (8, 9, 8), "set_cards": (9, 9, 9), "same_face_per_set": (2, 9, 8)},
    "D-31": {
        "warnings": (
            [("ranking", "tournament", 1, 0)],
            [
                ("ranking", "tournament", 1, 0),
                ("repeated", "tournament", 0, 100),
                ("repeated-in-round", "round", 0, 100),
            ],
            [],
        ),
        "tournament.warning_count": ("every-second", "each-after-first", "every-second"),
    },
    "D-32": {"pot.flight_by_fault": ("stands-after-next-draw", "lost", _SILENT)},
    "D-33": {
        "vp_tables": (
            {
                2: (40, 120, 200, 300, 400, 500, 620, 740, 870, 1000),
                3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
                4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
            },
            {
                3: (100, 200, 300, 450, 600, 800, 1000, 1250, 1500, 1800),
                4: (150, 350, 550, 750, 950, 1200, 1450, 1700, 2000, 2300),
            },
            {},
        ),
        "vp_teams": (
            {0: (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500)},
            {
                3: (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500),
                4: (200, 400, 600, 850, 1100, 1400, 1700, 2000, 2400, 2800),
            },
            {},
        ),
    },
    "D-34": {"out_of_turn.after_discard": ("frozen", "frozen-and-next-turn-limited", "taken-back")},
    "D-35": {"out_of_turn.without_draw": ("frozen", "last-penalised-others-frozen", "taken-back")},
    "D-36": {"table.card_is_played": ("released", "touches-the-table", _SILENT)},
    "D-37": {
        "mending.opened_without_wild": (2, None, None),
        "mending.opened_with_wild": (1, None, None),
        "mending.one_of_several": (False, True, None),
        "mending.added_to_set": (True, False, None),
        "mending.after_other_play": (True, False, None),
    },
    "D-38": {"mending.after_discard": ("discards-to-come", "frozen-for-good", None)},
    "D-42": {"taking.sole_card_discarded": ("one-card-of-last-play", "last-play-penalised", "taken-back")},
    "D-43": {"exposed.shown_after_wrong_closing": ("exposed", "by-who-showed", None)},
    "D-45": {"table.right_lapses": ("next-opponent-draws", "not-restorable", "anybody-draws")},
    "D-46": {"wrong_closing.last_play": ("last-card-linked", "all-linked-together", _SILENT)},
    "D-47": {"table.temporary_freeze": ("offenders-next-turn", "one-round", _SILENT)},
    "D-48": {"table.keepers": ("named", "first-to-open", "owner")},
    "D-49": {
        "pot.wrongly_taken": ("put-back-and-judged-as-closing", "judged-as-closing", "taken-back"),
        "pot.robbed_line": ("goes-out-for-its-pot", _SILENT, _SILENT),
        "robbed_bonus": (100, 0, 0),
    },
    "D-50": {"taking.stock_inspected": ("player-in-turn", _SILENT, _SILENT)},
    "D-51": {
        "time.left": ("hidden", _SILENT, "shown"),
        "time.countdown": (None, None, Countdown(seconds=60, in_flight=60, per="action")),
    },
    "D-52": {"table.hand_shields": (True, False, False)},
    "D-53": {"tournament.call_row": ("F-P2", None, None)},
    "D-56": {"out_of_turn.past": ("next-opponent-draws", "seat-after-offender-draws", "anybody-draws")},
    "D-58": {"table.seats": ((4,), (4,), (2, 4))},
}
"""By difference and field the values of the three codes, as their texts have them."""

REMEDIES: Final[dict[str, dict[str, str]]] = {
    "D-19": {"F-04a": "warn", "F-04h": "warn", "B-04g": "nothing", "O-09": "nothing"},
    "D-23": {"F-23f": "warn", "F-S5": "nothing", "B-19": "warn score"},
    "D-27": {"F-39": "score warn", "B-26": "score warn"},
    "D-39": {"F-22a": "referee warn stop-play", "B-11b": "limit-turn stop-play", "B-11c": "limit-turn stop-play"},
    "D-40": {"F-11b": "limit-turn stop-play warn", "B-11e": "referee stop-play"},
    "D-41": {"B-14e": "bar-closing discard penalise stop-play"},
    "D-44": {"F-19a": "warn", "B-24": "nothing score", "B-25": "referee score"},
    "D-54": {"F-B1": "warn"},
    "D-55": {"F-13": "nothing", "B-08": "nothing"},
    "D-57": {"F-20": "nothing score", "B-24": "nothing score", "B-24b": "score"},
}
"""Of differences that no field holds: what the rows have done, as their texts have it."""

EVERY: Final = pytest.mark.parametrize("one", DIFFERENCES, ids=[one.id for one in DIFFERENCES])


def plain(path: str, value: Any) -> Any:
    if path == "warnings":
        return [(one.name, one.scope, one.victory_points, one.match_points) for one in value]
    return dict(value) if hasattr(value, "items") else value


def test_there_are_fifty_eight() -> None:
    assert [one.id for one in DIFFERENCES] == [f"D-{number:02}" for number in range(1, 59)]


@EVERY
def test_it_is_held_by_fields_or_by_rows_and_has_an_article(one: CodeDifference) -> None:
    assert one.fields or one.rows
    assert set(one.rows) <= set(CODES)
    assert {"fibur2024", "feburit"} <= set(one.articles)
    for code, rows in one.rows.items():
        assert [EDITIONS[code].catalogue.row(row).id for row in rows] == list(rows)


@EVERY
def test_its_fields_have_the_values_of_the_texts(one: CodeDifference) -> None:
    values = TEXTS.get(one.id, {})
    assert set(one.fields) == set(values)
    for path, expected in values.items():
        assert [plain(path, value_of(EDITIONS[code], path)) for code in CODES] == list(expected), path


@pytest.mark.parametrize("name", sorted(REMEDIES))
def test_where_no_field_holds_it_the_rows_do(name: str) -> None:
    one = next(one for one in DIFFERENCES if one.id == name)
    held = {row: code for code, rows in one.rows.items() for row in rows}
    for row, does in REMEDIES[name].items():
        assert {step.do for step in EDITIONS[held[row]].catalogue.row(row).steps} == set(does.split()), row


def test_every_difference_is_proven_by_a_field_or_by_its_rows() -> None:
    assert {one.id for one in DIFFERENCES} == set(TEXTS) | set(REMEDIES)


def test_fields_that_differ_do_differ() -> None:
    """A difference whose fields say the same in all codes would be none; where they agree its rows tell them apart."""
    same = {
        one.id
        for one in DIFFERENCES
        if one.fields and len({repr(one.values(EDITIONS[code])) for code in ("fibur2024", "feburit")}) == 1
    }
    assert same == {"D-58"}, "one against one: neither federation gives a deal for it"


@EVERY
def test_what_no_sensor_tells_is_left_to_persons(one: CodeDifference) -> None:
    sensed = [
        row
        for code, rows in one.rows.items()
        for row in map(EDITIONS[code].catalogue.row, rows)
        if row.kind == "irregularity" and row.kinds
    ]
    assert one.told or {row.id for row in sensed} <= {"B-04c"}, "its misdeal is weighed, its warning is the arbitro's"


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference lies beside the checkout, and here it does not")
def test_the_list_is_that_of_the_reference() -> None:
    rows: list[dict[str, Any]] = json.loads(REFERENCE.read_text(encoding="utf-8"))["rows"]
    assert {one.id for one in DIFFERENCES} == {row["id"] for row in rows if row["kind"] == "disagreement"}


def test_no_condition_names_a_code() -> None:
    """Which code is played is asked of its data: no branch of the service compares the name of one."""
    tests = [
        (path.name, constant)
        for path in sorted((ROOT / "table_service").rglob("*.py"))
        if any(code in path.read_text(encoding="utf-8") for code in EDITIONS)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Compare | ast.Match)
        for constant in ast.walk(getattr(node, "test", node))
        if isinstance(constant, ast.Constant)
    ]
    assert [(name, one.lineno, one.value) for name, one in tests if one.value in set(EDITIONS)] == []


def test_no_module_outside_a_code_s_folder_imports_a_code() -> None:
    """But for its simulated players, whose faults are those of a code."""
    by_name = re.compile(r"burraco\.codes(?: import|\.)\s*(fibur2024|feburit|online)")
    burraco = ROOT / "table_service" / "games" / "burraco"
    own = {burraco / "codes", burraco / "rehearsal"}
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "table_service").rglob("*.py")
        if not own & set(path.parents)
        and "burraco.codes" in path.read_text(encoding="utf-8")
        and any(by_name.search(line) for line in imports(path))
    }
    assert found == set()


def imports(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{node.module} import {alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    ]
