"""`tavolo meld`, `count`, `vp`: the answers of interfaces section 5, and what is said to a slip of the finger."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

import pytest

from table_service.rulesets import BOOKS, RULE_SETS


def test_meld_answers_in_the_contract_s_shape(invoke):
    answer = json.loads(invoke("meld", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "--json").output)
    assert {name: answer[name] for name in ("cards", "valid", "kind", "burraco", "bonus")} == {
        "cards": "7H 8H 9H TH JH QH KH",
        "valid": True,
        "kind": "run",
        "burraco": "clean",
        "bonus": 200,
    }
    assert answer["points"] == 5 + 6 * 10


def test_meld_reads_its_cards_in_any_order_and_any_spelling(invoke):
    tidy = json.loads(invoke("meld", "7H", "8H", "9H", "TH", "JK", "--json").output)
    loose = json.loads(invoke("meld", "jk 10h,9h 7H", "8h", "--json").output)
    assert tidy["valid"]
    assert {**loose, "cards": ""} == {**tidy, "cards": ""}


def test_what_is_no_meld_says_why_and_is_an_answer_not_a_failure(invoke):
    result = invoke("meld", "7H", "8D", "9C", "--json")
    answer = json.loads(result.output)
    assert result.exit_code == 0
    assert answer["valid"] is False
    assert answer["kind"] is None
    assert answer["burraco"] == "none"
    assert answer["reason"]
    assert answer["reason"] in invoke("meld", "7H", "8D", "9C").output


def test_one_line_out_per_line_in_even_for_lines_that_name_no_cards(tavolo):
    lines = [b"7H 8H 9H", b"", b"7H XX", b"\xff\xfe", b"4D 4C 4S"]
    for flags in (["--json"], []):
        done = tavolo("meld", *flags, stdin=b"\n".join(lines))
        out = done.stdout.decode("utf-8").splitlines()
        assert done.returncode == 1
        assert len(out) == len(lines)
        if flags:
            answers = [json.loads(line) for line in out]
            assert [answer["valid"] for answer in answers] == [True, False, False, False, True]
            assert [("error" in answer) for answer in answers] == [False, True, True, True, False]


def test_ten_thousand_lines_give_ten_thousand_answers(invoke):
    result = invoke("meld", "--json", stdin="7H 8H 9H TH JK\n" * 10_000)
    assert result.exit_code == 0
    assert len(result.output.splitlines()) == 10_000


def test_a_reader_who_goes_away_is_no_error(tavolo):
    with tavolo.process("meld", stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"7H 8H 9H\n" * 5000)
            process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_no_room_for_the_answer_is_one_sentence(tavolo):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this machine has no /dev/full to stand for a full disk")
    with full.open("wb") as out, tavolo.process("meld", "7H", "8H", "9H", stdout=out, stderr=PIPE) as process:
        errors = process.stderr.read()
        assert process.wait(60) == 1
    assert errors.decode().splitlines() == ["tavolo: cannot write: No space left on device"]


@pytest.mark.parametrize("cards", ["XX", "7", "7H#x", "11H", "7♥", ""])
def test_a_card_that_is_none_is_named(invoke, cards):
    result = invoke("meld", cards)
    assert result.exit_code == 1
    assert result.output.startswith("tavolo: ")
    assert len(result.output.splitlines()) == 1
    assert (f"'{cards}'" if cards else "name at least one card") in result.output


def test_rules_that_do_not_exist_are_said_with_those_that_do(invoke):
    for args in (("meld", "7H", "--rules", "whist"), ("vp", "--deals", 4, "--diff", 0, "--rules", "whist")):
        result = invoke(*args)
        assert result.exit_code == 2
        assert result.output == f"tavolo: no rules are called 'whist': there is {', '.join((*RULE_SETS, *BOOKS))}\n"


def test_more_cards_than_the_pack_has_are_refused(invoke):
    assert "109 cards" in invoke("meld", *["7H"] * 109).output


@pytest.mark.parametrize(("diff", "vp"), [(850, [14, 6]), (-850, [6, 14]), (0, [10, 10]), (10**30, [20, 0])])
def test_vp_answers_as_in_the_contract(invoke, diff, vp):
    result = invoke("vp", "--rules", "fibur2024", "--deals", 4, "--diff", diff, "--json")
    assert json.loads(result.output) == {"rules": "fibur2024", "deals": 4, "diff": diff, "vp": vp}


def test_vp_for_a_round_the_code_has_no_table_for(invoke):
    result = invoke("vp", "--deals", 7, "--diff", 5)
    assert result.exit_code == 1
    assert "7 deals" in result.output
    assert "2, 3, 4" in result.output


def test_vp_with_a_word_for_a_number_is_used_wrongly(invoke):
    assert invoke("vp", "--deals", "four", "--diff", 5).exit_code == 2
    assert invoke("vp", "--deals", 4).exit_code == 2


DEAL = {
    "rules": "fibur2024",
    "deal": {
        "NS": {
            "melds": [["7H", "8H", "9H", "TH", "JH", "QH", "KH"]],
            "hands": [[], ["4D"]],
            "pot": "taken",
            "closed": True,
        },
        "EW": {"melds": [["KC", "KD", "KS"]], "hands": [["AH"], ["JK"]], "pot": "not-taken"},
    },
}


def test_count_answers_every_item_and_the_total(invoke, tmp_path):
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL), encoding="utf-8")
    answer = json.loads(invoke("count", file, "--json").output)
    ns, ew = answer["lines"]["NS"], answer["lines"]["EW"]
    assert ns["items"] == {
        "burraco": 200,
        "closing": 100,
        "melds": 65,
        "pot": 0,
        "hand": -5,
        "penalised": 0,
        "bonus": 0,
    }
    assert ns["total"] == 360
    assert ew["items"]["pot"] == -100
    assert ew["items"]["hand"] == -(15 + 30)
    assert ew["total"] == 30 - 100 - 45
    assert answer["diff"] == ns["total"] - ew["total"]
    table = invoke("count", file).output
    assert "360" in table.splitlines()[-1]


def test_count_reads_standard_input_and_a_byte_order_mark(invoke, tmp_path):
    text = json.dumps(DEAL)
    file = tmp_path / "deal.json"
    file.write_text("\ufeff" + text, encoding="utf-8")
    assert invoke("count", "-", "--json", stdin=text).output == invoke("count", file, "--json").output


BAD_DEALS = {
    "absent": None,
    "empty": b"",
    "not JSON": b"{",
    "no text": b"\xff\xfe\x00",
    "a list": b"[]",
    "too deep": b"[" * 100_000,
    "a number too long": b'{"rules":"fibur2024","deal":' + b"9" * 5000 + b"}",
    "no rules": b"{}",
    "no deal": b'{"rules":"fibur2024"}',
    "one line": b'{"rules":"fibur2024","deal":{"NS":{}}}',
    "a line that is none": b'{"rules":"fibur2024","deal":{"NS":5,"EW":{}}}',
    "unknown field": b'{"rules":"fibur2024","deal":{"NS":{"meld":[]},"EW":{}}}',
    "melds no list": b'{"rules":"fibur2024","deal":{"NS":{"melds":"7H"},"EW":{}}}',
    "card no text": b'{"rules":"fibur2024","deal":{"NS":{"hands":[[7]]},"EW":{}}}',
    "no card": b'{"rules":"fibur2024","deal":{"NS":{"hands":[["7X"]]},"EW":{}}}',
    "no meld": b'{"rules":"fibur2024","deal":{"NS":{"melds":[["7H","8D","9C"]]},"EW":{}}}',
    "bonus not a number": b'{"rules":"fibur2024","deal":{"NS":{"bonus":NaN},"EW":{}}}',
    "pot": b'{"rules":"fibur2024","deal":{"NS":{"pot":["taken"]},"EW":{}}}',
    "both closed": b'{"rules":"fibur2024","deal":{"NS":{"closed":true},"EW":{"closed":true}}}',
}


@pytest.mark.parametrize("what", BAD_DEALS)
def test_a_deal_that_cannot_be_counted_is_one_sentence(invoke, tmp_path, what):
    file = tmp_path / "deal.json"
    content = BAD_DEALS[what]
    if content is not None:
        file.write_bytes(content)
    result = invoke("count", file)
    assert result.exit_code == 1
    assert result.output.startswith("tavolo: ")
    assert len(result.output.splitlines()) == 1
    assert len(result.output) < 400


@pytest.mark.parametrize("rules", [b'"whist"', b'["x"]'])
def test_a_deal_by_rules_that_do_not_exist_is_asked_wrongly(invoke, tmp_path, rules):
    file = tmp_path / "deal.json"
    file.write_bytes(b'{"rules":' + rules + b',"deal":{}}')
    result = invoke("count", file)
    assert result.exit_code == 2
    assert f"{file}: no rules are called" in result.output
    assert len(result.output.splitlines()) == 1


def test_a_folder_is_no_deal(invoke, tmp_path):
    result = invoke("count", tmp_path)
    assert result.exit_code == 1
    assert str(tmp_path) in result.output


def test_count_of_a_tarocco_deal_says_why_each_item_counts(invoke):
    example = Path(__file__).parents[2] / "examples" / "deal-tarocco.json"
    answer = invoke("count", str(example))
    assert answer.exit_code == 0
    assert "NS: sequence great, of pile, t20 mat (for t19) t17" in answer.output
    assert "ends: t16 missing: 10, doubled" in answer.output


def test_a_game_without_melds_says_so(invoke):
    assert "the game has no melds" in invoke("meld", "--rules", "tarocco", "KC").output


def test_count_and_vp_of_bridge(invoke):
    example = Path(__file__).parents[2] / "examples" / "board.json"
    assert json.loads(invoke("count", str(example), "--json").output)["lines"]["NS"]["total"] == 690
    assert "690" in invoke("count", str(example)).output
    assert json.loads(invoke("vp", "--rules", "bridge", "--deals", 16, "--diff", -34, "--json").output)["vp"] == [7, 23]
    refused = invoke("vp", "--rules", "bridge", "--deals", 18, "--diff", 3)
    assert refused.exit_code == 1
    assert "no victory points for 18 boards" in refused.output


def test_pbn_check_answers_for_each_board_and_its_exit_code_says_whether_all_are_sound(invoke, tmp_path):
    good = tmp_path / "good.pbn"
    good.write_text('[Board "1"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n[Score "NS 400"]\n')
    bad = tmp_path / "bad.pbn"
    bad.write_text('[Board "1"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n[Score "NS 600"]\n')
    answer = invoke("pbn", "check", str(good), "--json")
    assert (answer.exit_code, json.loads(answer.output)["score"]) == (0, {"NS": 400, "right": True})
    told = invoke("pbn", "check", str(good), str(bad))
    assert told.exit_code == 1
    assert "bad.pbn: board 1: deal none, 3NT by N, 9 tricks, NS 400: not sound" in told.output
    assert "the score says 600 for NS, contract and tricks give 400" in told.output
    assert invoke("pbn", "check", str(tmp_path / "none.pbn")).exit_code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file or directory"),
        ("directory", "cannot be read: Is a directory"),
        (b"\x00\x01\x02[Board \x07]" * 40, "cannot be read: it holds bytes that stand in no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence_and_the_others_are_judged(invoke, tmp_path, content, said):
    odd, good = tmp_path / "odd.pbn", tmp_path / "good.pbn"
    if content == "directory":
        odd.mkdir()
    elif content is not None:
        odd.write_bytes(content)
    good.write_text('[Board "1"]\n')
    for files in ((odd, good), (good, odd)):
        answer = invoke("pbn", "check", *map(str, files), "--json")
        assert answer.exit_code == 2
        assert answer.stderr == f"tavolo: {odd} {said}\n"
        assert json.loads(answer.stdout)["board"] == "1"


@pytest.mark.parametrize("content", [b"", b"\n\n", b"% PBN 2.1\n% EXPORT\n", b"{ a comment }\n", b"{}", b"\x1a"])
def test_a_file_without_a_board_says_so(invoke, tmp_path, content):
    path = tmp_path / "empty.pbn"
    path.write_bytes(content)
    answer = invoke("pbn", "check", str(path), "--json")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr == f"tavolo: {path} holds no board\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (['[Contract "8N"]'], ["'8N' is no bid: write a level from 1 to 7 and C, D, H, S or NT"]),
        (['[Contract "4♠"]'], []),
        (['[Contract "4S"]', '[Declarer "S"]', '[Result "14"]'], ["14 tricks: a board has 13"]),
        (
            ['[Contract "PassX"]', '[Declarer "S"]', '[Result "3"]'],
            [
                "'PassX': a board that was passed out is not doubled",
                "a board that was passed out has no tricks, not 3",
            ],
        ),
        (['[Declarer "S"]', '[Score "nan"]'], ["'nan' is no score, as NS 420 or EW -50"]),
        (['[Declarer "S"]', '[Score "1e999"]'], ["'1e999' is no score, as NS 420 or EW -50"]),
        (
            ['[Deal "N:♠AK♥T98♦765♣432 - - -"]'],
            ["the hand '♠AK♥T98♦765♣432' is not four suits with points between them"],
        ),
        (['[Contract "3ntx"]', '[Declarer "w"]', '[Result "ew 9"]', '[Dealer "n"]', '[Vulnerable "love"]'], []),
        (['[Contract "Pass"]', '[Declarer ""]', '[Result "0"]', '[Score "0"]'], []),
    ],
)
def test_every_fault_of_a_board_is_a_sentence_of_its_answer(invoke, tmp_path, lines, told):
    path = tmp_path / "board.pbn"
    for data in (
        "\n".join(['[Board "1"]', *lines, ""]).encode(),
        "\r\n".join(['[Board "1"]', *lines]).encode("utf-16"),
    ):
        path.write_bytes(data)
        answer = invoke("pbn", "check", str(path), "--json")
        assert [one["text"] for one in json.loads(answer.stdout)["errors"]] == told
        assert answer.exit_code == bool(told)


@pytest.mark.parametrize(
    ("rules", "cards", "burraco", "bonus"),
    [
        ("fibur2024", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "clean", 200),
        ("feburit", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "over-the-top", 300),
        ("online", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "clean", 200),
        ("feburit", "QH QH QD QD QC QC QS QS", "super-clean", 250),
        ("online", "JK QH QH QD QD QC QC QS", "semi-clean", 150),
    ],
)
def test_meld_answers_by_each_code_of_burraco(invoke, rules, cards, burraco, bonus):
    answer = json.loads(invoke("meld", *cards.split(), "--rules", rules, "--json").output)
    assert (answer["valid"], answer["burraco"], answer["bonus"]) == (True, burraco, bonus)


@pytest.mark.parametrize(("rules", "diff"), [("fibur2024", 40), ("feburit", 140), ("online", 40)])
def test_count_answers_by_each_code_of_burraco(invoke, tmp_path, rules, diff):
    suit = ["AH", *(f"{rank}H" for rank in "23456789TJQK")]
    deal = {"NS": {"melds": [suit]}, "EW": {"melds": [suit[1:]], "hands": [["KS", "5S"]], "penalised": ["4C", "4D"]}}
    file = tmp_path / "deal.json"
    file.write_text(json.dumps({"rules": rules, "deal": deal}), encoding="utf-8")
    answer = json.loads(invoke("count", file, "--json").output)
    assert answer["rules"] == rules
    malus = 0 if rules == "fibur2024" else -100
    assert [answer["lines"][line]["items"]["pot"] for line in ("NS", "EW")] == [malus, malus]
    assert answer["diff"] == diff


@pytest.mark.parametrize(
    ("options", "bonus", "held"),
    [(None, 150, "semi-clean"), ({"inner_wild": "dirty"}, 100, "dirty"), ({"deals": 4}, 150, "semi-clean")],
)
def test_count_goes_by_the_choices_that_the_deal_names_and_says_which(invoke, tmp_path, options, bonus, held):
    file = tmp_path / "deal.json"
    suit = ["5H", "6H", "7H", "8H", "9H", "TH", "JH", "JK", "KH"]
    document = {"rules": "feburit", "deal": {"NS": {"melds": [suit]}, "EW": {}}}
    file.write_text(json.dumps(document if options is None else {**document, "options": options}), encoding="utf-8")
    answer = json.loads(invoke("count", file, "--json").output)
    assert (answer["lines"]["NS"]["items"]["burraco"], answer["options"]["inner_wild"]) == (bonus, held)


@pytest.mark.parametrize(
    ("rules", "options", "said"),
    [
        ("feburit", {"inner_wild": "clean"}, "'inner_wild' must be one of"),
        ("feburit", {"target": 2005}, "there is no option 'target'"),
        ("fibur2024", {"inner_wild": "dirty"}, "there is no option 'inner_wild'"),
        ("online", {"two_aces_in_run": True}, "online needs the option target"),
        ("feburit", ["inner_wild"], "'options' must be an object"),
    ],
)
def test_count_refuses_a_choice_that_the_code_does_not_have(invoke, tmp_path, rules, options, said):
    file = tmp_path / "deal.json"
    file.write_text(json.dumps({"rules": rules, "options": options, "deal": {"NS": {}, "EW": {}}}), encoding="utf-8")
    result = invoke("count", file)
    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    assert said in result.output


@pytest.mark.parametrize(
    ("flags", "vp"),
    [
        (("--deals", 3, "--diff", 850), [16, 4]),
        (("--deals", 4, "--diff", 850), [14, 6]),
        (("--deals", 3, "--diff", 850, "--teams"), [14, 6]),
        (("--deals", 4, "--diff", 850, "--teams"), [13, 7]),
    ],
)
def test_vp_by_the_four_tables_of_feburit(invoke, flags, vp):
    assert json.loads(invoke("vp", "--rules", "feburit", *flags, "--json").output)["vp"] == vp


def test_vp_of_a_round_of_two_deals_of_feburit_is_the_arbitro_s(invoke):
    result = invoke("vp", "--rules", "feburit", "--deals", 2, "--diff", 100)
    assert result.exit_code == 1
    assert result.output == (
        "tavolo: feburit has no table of victory points for 2 deals: it has them for 3, 4; the arbitro decides them\n"
    )


def test_online_has_no_victory_points(invoke):
    result = invoke("vp", "--rules", "online", "--deals", 4, "--diff", 100)
    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    assert "no victory points" in result.output


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--players", 2), "'feburit' is not played by 2 at a table"),
        (("--faults", "F-31a"), "no fault of row 'F-31a' can be rehearsed"),
    ],
)
def test_a_rehearsal_that_its_code_does_not_have_is_refused(invoke, tmp_path, more, said):
    result = invoke("rehearse", "--rules", "feburit", *more, "--log", tmp_path / "log.jsonl")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert said in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_simulated_players_is_not_rehearsed(invoke, monkeypatch, tmp_path):
    unplayed = replace(RULE_SETS["bridge"], rehearsal=None)
    monkeypatch.setattr("table_service.rulesets.RULE_SETS", {**RULE_SETS, "bridge": unplayed})
    result = invoke("rehearse", "--rules", "bridge", "--seed", 1, "--log", tmp_path / "log.jsonl")
    assert result.exit_code == 2
    assert result.output.startswith("tavolo: nobody can play 'bridge' yet: there is ")
    assert len(result.output.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
