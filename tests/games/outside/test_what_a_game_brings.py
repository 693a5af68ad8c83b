"""A game from outside brings its cards, their drawings, its layout, its zones and its count by its rule set alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from hw.equipment import EquipmentZone
from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT, Rect
from hw.pack.raster import drawn_bgra
from hw.twin.camera_cards import artwork_of
from table_service import rulesets
from table_service.cli import app
from table_service.commands.demo.drawn_pack import drawn_pack
from table_service.console.card_pictures import card_picture
from table_service.games.definition import Calculators, RuleSet
from vision.index_reader import IndexReader
from vision.packs import PackFaces
from vision.see import look_at


@pytest.fixture
def brought(briscola: RuleSet, monkeypatch: pytest.MonkeyPatch) -> Callable[..., RuleSet]:
    """Registers a rule set ``moons``: Briscola, but for what is said otherwise."""

    def register(**own: Any) -> RuleSet:
        made = replace(briscola, name="moons", title="Moons", **own)
        monkeypatch.setattr(rulesets, "RULE_SETS", {**rulesets.RULE_SETS, made.name: made})
        return made

    return register


@pytest.mark.parametrize(
    ("count", "status", "said"),
    [
        (None, 1, "Moons: the game has no count of a deal from a file"),
        (lambda document: document["cards"], 1, "Moons cannot count this deal (KeyError: 'cards')"),
        (lambda _document: {"points": 3}, 1, "Moons cannot count this deal (KeyError: 'lines')"),
        (lambda _document: {"lines": {"NS": {"total": 3}, "EW": {"items": {"moons": 2}, "total": None}}}, 0, "total"),
    ],
)
def test_the_count_of_a_game_answers_or_says_in_one_sentence_why_it_cannot(
    brought: Callable[..., RuleSet], tmp_path: Path, count: Any, status: int, said: str
) -> None:
    brought(calculators=Calculators(count))
    file = tmp_path / "deal.json"
    file.write_text(json.dumps({"rules": "moons", "deal": {}}), encoding="utf-8")
    run = CliRunner().invoke(app, ["count", str(file)])
    assert run.exit_code == status
    assert said in run.output
    assert len(run.output.splitlines()) == (1 if status else 3)
    assert isinstance(run.exception, SystemExit | None)


def test_a_table_without_a_layout_of_its_own_has_that_of_its_rule_set(
    brought: Callable[..., RuleSet], tmp_path: Path
) -> None:
    made = brought(layout=replace(DEFAULT_LAYOUT, zones={"trick": Rect(0, 0, 90, 90)}))
    file = tmp_path / "table.toml"
    file.write_text('[table]\nname = "T1"\nhall = "sala"\nrules = "moons"\n', encoding="utf-8")
    assert rulesets.load_table(file).layout() == made.layout


def test_a_zone_that_only_this_game_has_may_stand_in_its_map(brought: Callable[..., RuleSet], tmp_path: Path) -> None:
    text = (
        '[table]\nname = "T1"\nhall = "sala"\nrules = "moons"\n[nodes.table]\nport = "/dev/tty0"\nscales = ["pond"]\n'
        "[zones]\npond = { rect = [0, 0, 90, 90] }\n"
    )
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    made = brought()
    assert "'pond' is no zone" in CliRunner().invoke(app, ["check", "--lang", "en", str(file)]).output
    brought(equipment=replace(made.equipment, places=(EquipmentZone("pond", "stack", weighed=True, needed=True),)))
    assert CliRunner().invoke(app, ["check", "--lang", "en", str(file)]).output.startswith(f"{file}: right")


def test_a_pack_of_its_own_is_drawn_for_pages_and_camera_and_enrolled_by_whole_faces(
    briscola: RuleSet, tmp_path: Path
) -> None:
    drawing = briscola.drawing
    assert drawing is not None
    assert card_picture("3B", "briscola") == drawing("3B")
    assert card_picture("7H", "briscola") is None
    assert card_picture("3B", "another") is None
    assert artwork_of(drawing)("3B", 2.0).shape == (CARD_HEIGHT * 2, CARD_WIDTH * 2, 4)
    drawn_pack(briscola.pack, drawing).save(tmp_path / "briscola.pack")
    known = PackFaces.load(tmp_path / "briscola.pack")
    assert known.by_whole_faces
    assert known.faces is not None
    assert known.faces.is_complete
    assert known.faces.alike == {}
    shown = ["3B", "KC", "AS"]
    ground = np.full((620, 1150, 3), (70, 110, 60), np.uint8)
    for place, card in enumerate(shown):
        drawn = drawn_bgra(drawing, card, 5.0)
        part = ground[90 : 90 + drawn.shape[0], 40 + 370 * place : 40 + 370 * place + drawn.shape[1]]
        part[drawn[..., 3] > 127] = drawn[drawn[..., 3] > 127][:, :3]
    assert sorted(one["card"] for one in look_at(ground, IndexReader(pack=known), known).cards) == sorted(shown)
    run = CliRunner().invoke(app, ["enrol", str(tmp_path), "--of", "briscola", "--out", str(tmp_path / "again.pack")])
    assert "holds no picture" in run.output
