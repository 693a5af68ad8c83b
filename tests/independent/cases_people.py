"""Rows that only a person can tell, entered as orders at the console, with every option; orders that make no sense."""

from __future__ import annotations

from tests.independent.cards import line_of
from tests.independent.casebook import CASES, Case
from tests.independent.code import CODE

MELD, OTHER = 0, 1

PEOPLE = """
F-G03  seat cards=7S                    ; pair
F-02   seat                             ; pair
F-03                                    ;
F-04a  seat                             ; pair
F-04c                                   ;
F-04d                                   ;
F-04e  seat                             ;
F-04f                                   ;
F-04g  seat                             ; pair
F-04h                                   ; both
F-04i  seat                             ; pair
F-04k  option=spare-unused              ;
F-04k  option=spare-played              ;
F-05a                                   ;
F-05b                                   ;
F-05c                                   ;
F-06   seat                             ;
F-08a  seat option=draw                 ;
F-08a  seat option=collect              ;
F-08c  seat option=draw                 ;
F-08c  seat option=collect              ;
F-09b  seat meld                        ;
F-09c  seat meld                        ; ; X-F03
F-09d  seat                             ; pair
F-09f  seat                             ;
F-09g  seat option=twin                 ;
F-09g  seat option=no-twin              ;
F-09h  seat                             ;
F-05d  seat meld cards=7H option=mend   ;
F-05d  seat meld cards=7H option=penalise ;
F-10a  seat meld                        ;
F-10b  seat meld cards=2H option=mend   ;
F-10b  seat meld option=penalise        ;
F-11b  seat meld                        ; pair
F-11c  seat meld cards=AH option=penalise ;
F-12   seat meld cards=7H option=penalise ;
F-12b  seat meld cards=2H option=penalise ;
F-29a  seat cards=7S                    ;
F-29b  seat meld option=mend            ;
F-29b  seat meld cards=7C option=penalise ;
F-29c  seat meld option=mend            ;
F-29c  seat meld cards=7C option=penalise ;
F-29d  seat meld option=mend            ;
F-29d  seat meld cards=7C option=penalise ;
F-29e  seat meld                        ;
F-23b  seat                             ; both
F-23c  option=repair                    ;
F-23c  option=seen                      ;
F-23f  seat                             ; pair
F-23g  seat                             ; pair
F-23h  seat option=opened               ;
F-23h  seat option=added                ;
F-23i  seat option=valid                ;
F-23i  seat option=no-burraco           ;
F-23i  seat option=wild                 ;
F-23j  seat meld                        ;
F-23k  seat meld                        ;
F-23l  seat meld                        ;
F-23m  seat meld                        ;
F-23n  seat option=no-burraco           ;
F-23n  seat option=opened               ;
F-23o  seat                             ;
F-23p  seat                             ;
F-21a  seat                             ; pair
F-21b  seat                             ; pair
F-21c  seat cards=7S                    ; pair
F-21d  seat cards=7S                    ; pair
F-22a  seat                             ; pair
F-22a  seat option=draw                 ; pair
F-22a  seat option=collect              ; pair
F-22a  seat option=other                ; pair
F-22b  seat cards=JK                    ; pair
F-22c  seat                             ; pair
F-22d  seat                             ; pair
F-22e  seat                             ; pair
F-24a  seat cards=7S                    ;
F-24b  seat cards=7S option=no-warning  ;
F-24b  seat cards=7S option=warning     ; pair
F-24c  seat meld cards=7S               ;
F-24d  seat                             ;
F-25a  seat meld cards=7C               ;
F-25b  seat meld cards=7C               ;
F-25c  seat meld cards=7C               ;
F-25d  seat cards=7C                    ;
F-26a  seat meld cards=9S               ;
F-26b  seat meld cards=9S               ;
F-26c  seat meld cards=9S               ;
F-26d  seat meld cards=9S added=7C      ;
F-26e  seat cards=9S                    ;
F-27a  seat meld                        ;
F-27b  seat meld                        ;
F-27c  seat meld cards=7C               ;
F-27d  seat meld                        ;
F-28a  seat                             ; pair
F-28b  seat meld                        ; pair
F-28c  seat cards=7C option=place       ; pair
F-28c  seat cards=7C option=penalise    ; pair
F-28d  seat cards=7C                    ; pair
F-28e  seat                             ; pair
F-28f  seat                             ; pair
F-28g  seat cards=7C option=place       ; pair ; X-F12 X-F13
F-28g  seat cards=7C option=penalise    ; pair ; X-F11
F-28h  seat                             ; pair
F-28i  seat                             ; pair
F-30a  seat meld                        ;
F-30b  seat meld                        ; pair
F-30d  seat                             ; pair
F-31a  seat option=drawn-card           ;
F-31a  seat option=random-card          ;
F-31b  seat meld option=drawn-card      ;
F-31b  seat meld option=random-card     ;
F-31c  seat meld cards=7C               ;
F-31d  seat                             ;
F-31e  seat meld                        ;
F-31f  seat option=draw                 ;
F-31f  seat option=collect              ;
F-32   seat meld                        ;
F-33   seat cards=7C                    ;
F-34   seat meld                        ;
F-35a  seat meld                        ;
F-35b  seat meld cards=7C               ;
F-36   seat option=rebuilt              ;
F-36   seat option=arbitral points=100  ;
F-37   seat option=urge                 ;
F-37   seat option=warn                 ; pair
F-38c  seat option=unannounced          ;
F-38c  seat option=absent               ;
F-38   seat                             ;
F-40   option=past-half                 ;
F-40   option=before-half               ;
F-19a  seat                             ; pair
F-B1   seat                             ; pair
F-B2                                    ;
F-S1   seat                             ;
F-S2   seat                             ;
F-S3   seat                             ;
F-P1   option=stop                      ;
F-P1   option=play-on                   ;
"""
"""Row, what the order holds (the seat is number 3, whose turn it is not), and who is warned by the text."""

RESULTS = """
F-39  4 pairs minutes=11 | 7 13 | -505 505
F-39  3 pairs minutes=11 | 6 14 | -355 355
F-39  2 pairs minutes=11 | 6 14 | -305 305
F-39  4 teams minutes=11 | 7 13 | -555 555
F-39  4 pairs option=over-10 | 7 13 | -505 505
F-38d 4 pairs option=first-three | 7 13 | -505 505
F-38d 4 pairs option=from-fourth | 0 13 | None 505
F-38e 4 pairs option=by-default | 7 13 | -505 505
F-38f 4 pairs option=stopped | 7 7 | -505 -505
F-38f 4 pairs option=both-left | 0 0 | 0 0
F-38g 4 pairs option=by-default | 0 13 | None 505
F-38h 4 pairs option=over-10 | 7 13 | -505 505
F-19b 4 pairs option=lost | 7 7 | None None
F-20  4 pairs option=void | 7 7 | None None
F-39b 4 pairs lines=11+12 | 7 7 | -505 -505
F-39b 2 pairs lines=11+12 | 6 6 | -305 -305
F-39c 4 pairs line | 13 None | 505 None
F-39c 2 pairs line | 14 None | 305 None
F-39c 4 teams line | 13 None | 555 None
"""
"""Row, deals, event, order | victory points of the seat's line and of the other | match points (None: not stated)."""

NONSENSE = (
    {"do": "rule", "row": "F-99", "seat": "N"},
    {"do": "rule", "row": "F-31a"},
    {"do": "rule"},
    {"do": "rule", "row": "F-29b", "seat": "N", "option": "fly", "meld": 77, "cards": ["ZZ"]},
    {"do": "rule", "row": "F-25c", "seat": "X"},
    {"do": "rule", "row": "F-25c", "seat": "N", "meld": "x", "cards": "7H"},
    {"do": "rule", "key": "r9d9-9"},
    {"do": "dismiss"},
    {"do": "dismiss", "key": "nothing"},
    {"do": "confirm", "row": "F-31a", "seat": "E"},
    {"do": "confirm"},
    {"do": "warn"},
    {"do": "warn", "line": "XY"},
    {"do": "bonus", "line": "NS"},
    {"do": "bonus", "line": "NS", "points": "many"},
    {"do": "bonus", "line": "NS", "points": 1e9},
    {"do": "correct"},
    {"do": "correct", "zone": "melds-NS", "row": 99, "cards": []},
    {"do": "correct", "zone": "moon", "row": 0, "cards": ["7H"]},
    {"do": "correct", "zone": "melds-NS", "row": 0, "cards": ["7H", "7H", "7H", "7H"]},
    {"do": "start-play"},
    {"do": "deal", "deal": 1, "dealer": "N"},
    {"do": "deal", "deal": 0, "dealer": "Q"},
    {"do": "start-round"},
    {"do": "start-round", "deals": -1, "minutes": 0},
    {"do": "time-out"},
    {"do": "fly"},
    {"do": "end-round"},
    {"do": "end-round"},
    {"do": "rule", "row": "F-39", "minutes": "late"},
    {"do": "rule", "row": "F-14", "seat": "N"},
    {"do": "rule", "row": "F-G01"},
)


def _enter(name, rows, script, **set_up):
    CASES[name] = Case(name, tuple(rows.split()), script, set_up)


def _fields(s, words):
    fields = {}
    for word in words:
        name, _, value = word.partition("=")
        if name == "seat":
            fields["seat"] = s[3]
        elif name == "line":
            fields["line"] = line_of(s[3])
        elif name == "lines":  # minutes late: of the seat's line, of the other
            mine = line_of(s[3])
            fields["lines"] = dict(zip((mine, "EW" if mine == "NS" else "NS"), map(int, value.split("+")), strict=True))
        elif name == "meld":
            fields["meld"] = MELD
        elif name in ("cards", "added"):
            fields[name] = value.split("+")
        elif name in ("points", "minutes"):
            fields[name] = int(value)
        else:
            fields[name] = value
    return fields


def _in_play(row, words, warned):
    def script(s):
        s.begin()
        s.draw_as(0)
        s.throw(0)
        s.draw_as(1)
        s.down(1, "7H 7D 7C 7S")
        s.throw(1)
        s.wait(3)
        fields = _fields(s, words)
        s.console("rule", row=row, **fields)
        seat = fields.get("seat")
        s.last_at = None
        s.expect(row, "any" if seat is None else 3, state="ruled", t=None, within=2)
        if warned == "pair":
            s.tells("warning.given", None, line=line_of(s[3]))
        elif warned == "both":
            s.tells("warning.given", None, line="NS")
            s.tells("warning.given", None, line="EW")
        else:
            s.never.append("warning.given")
        s.lax = line_of(s[3])  # nobody does what was ruled: that may be told, of this line
        if row != "F-P1":
            s.plain_turns(2, 3, 0, 1, 2, 3)
        s.over()

    return script


def _by_default(row, deals, event, words, points, match):
    def script(s):
        s.deals, s.event = int(deals), event
        s.minutes = {2: 25, 3: 32, 4: 42}[int(deals)]
        s.course.say(0.0, "console", by="arbitro-1", do="start-round", deals=s.deals, minutes=s.minutes)
        s.t = 5.0
        seat = {} if any(word.startswith("line") for word in words) else {"seat": s[3]}
        s.console("rule", row=row, **seat, **_fields(s, words))
        s.wait(5)
        s.console("end-round")
        s.course.until = s.t + 6
        mine = line_of(s[3])
        other = "EW" if mine == "NS" else "NS"
        vp, mp = ([None if word == "None" else int(word) for word in text.split()] for text in (points, match))
        s.result = {"victory_points": {mine: vp[0], other: vp[1]}, "match_points": {mine: mp[0], other: mp[1]}}
        s.allow(row)

    return script


def _senseless(orders, name):
    def script(s):
        s.begin()
        s.plain_turns(0, 1)
        before = dict(orders)
        s.console(before.pop("do"), **before)
        s.wait(2)
        if before_end := orders["do"] not in ("end-round", "deal", "start-round", "time-out", "start-play"):
            s.plain_turns(2, 3)
        s.allow("F-14", "F-G01") if not before_end else None
        s.sane = before_end
        s.allow("F-31a", "F-25c", "F-29b", "F-39")
        s.over()

    return script


for _line in PEOPLE.strip().splitlines():
    _order, _warned, _examples = [*_line.split(";"), ""][:3]
    _row, *_words = _order.split()
    _option = "".join(word.partition("=")[2] for word in _words if word.startswith("option"))
    _enter(
        f"ruled {_row} {_option}".strip(),
        f"{_row} {_examples}",
        _in_play(_row, _words, _warned.strip()),
        hands=("", "7H 7D 7C 7S"),
    )
for _line in RESULTS.strip().splitlines():
    _order, _points, _match = _line.split("|")
    _row, _deals, _event, *_words = _order.split()
    _enter(
        f"result {_row} {_deals} {_event} {' '.join(_words)}",
        _row,
        _by_default(_row, _deals, _event, _words, _points, _match),
    )
for _number, _orders in enumerate(NONSENSE):
    _enter(f"senseless {_number} {_orders['do']}", "", _senseless(_orders, _number))
for _row, _entry in CODE.items():
    if _entry.kind == "irregularity":
        continue

    def _no_irregularity(s, row=_row):
        s.begin()
        s.plain_turns(0, 1)
        s.console("rule", row=row, seat=s[0])
        s.plain_turns(2)
        s.over()

    if _row not in ("F-16", "F-38h", "F-39c", "F-P3", "F-15a"):
        _enter(f"never an irregularity {_row}", _row, _no_irregularity)
