"""One scenario run over every kind of line, in simulated time: exactly once, in order, and gaps never hidden."""

from __future__ import annotations

import pytest

from firmware_bridge.codec import SCHEMA
from firmware_bridge.session import Joined, LinkSession, LinkTime, Lost, Refused
from lab.link.line import Faults, Line, account
from lab.link.node_firmware import NODE, firmware

LINES = {
    "clean": Faults(),
    "bytewise": Faults(bytewise=True),
    "lossy": Faults(lose=0.02),
    "corrupt": Faults(spoil=0.001),
    "very-corrupt": Faults(spoil=0.005),
    "delayed": Faults(delay=(0.02, 0.12)),
    "duplicated": Faults(repeat=0.1),
    "everything": Faults(spoil=0.0005, lose=0.01, repeat=0.02, delay=(0.001, 0.03)),
}


@pytest.mark.parametrize("kind", LINES)
def test_every_reading_arrives_exactly_once_and_in_order(kind: str) -> None:
    line = Line(LINES[kind], seed=11)
    line.run(20.0)
    line.run(3.0, sensing=False)
    got = account(line)
    assert not got.gaps
    first = got.readings[0][2]
    assert [number for _, _, number in got.readings] == list(range(first, line.count + 1))
    assert len(got.readings) > 3500
    assert not line.told(Lost)
    assert len(line.told(Joined)) == 1


@pytest.mark.parametrize("kind", LINES)
def test_readings_carry_the_moment_at_which_they_were_sensed(kind: str) -> None:
    line = Line(LINES[kind], seed=12)
    line.run(6.0)
    got = account(line)
    slack = LINES[kind].delay[1] + 0.003
    for arrived, told, number in got.readings:
        assert abs(told - line.sensed[number]) <= slack
        assert told <= arrived
    times = [told for _, told, _ in got.readings]
    assert times == sorted(times)


def test_one_byte_in_a_thousand_spoiled_costs_little_time() -> None:
    line = Line(Faults(spoil=0.001), seed=13)
    line.run(30.0)
    late = sorted(arrived - line.sensed[number] for arrived, _, number in account(line).readings)
    assert late[int(len(late) * 0.99)] <= 0.25


def test_a_node_that_starts_anew_is_told_and_joins_again_with_its_true_state_within_a_second() -> None:
    line = Line(Faults(), seed=14)
    line.run(5.0)
    line.up.lose_all()
    line.power_on()
    line.run(5.0)
    joined = line.told(Joined)
    assert [event.how for _, event in joined] == ["first", "reset"]
    assert joined[1][0] - 5.0 < 1.0
    got = account(line)
    assert len(got.gaps) == 1
    assert got.readings[-1][2] >= line.count - 1
    assert line.session.counters.resets == 1


@pytest.mark.parametrize("spoil", [0.0, 0.005])
def test_a_line_pulled_out_is_told_and_readings_missed_meanwhile_show_as_a_gap(spoil: float) -> None:
    line = Line(Faults(spoil=spoil), seed=15)
    line.run(5.0)
    line.up.cut = line.down.cut = True
    line.run(3.0)
    assert len(line.told(Lost)) == 1
    line.up.cut = line.down.cut = False
    back = line.now
    line.run(5.0)
    joined = line.told(Joined)
    assert [event.how for _, event in joined] == ["first", "back"]
    assert joined[1][0] - back < 1.0
    line.run(2.0, sensing=False)
    got = account(line)
    assert len(got.gaps) == 1
    assert got.readings[-1][2] == line.count


def test_a_short_interruption_loses_nothing_and_is_not_told() -> None:
    line = Line(Faults(), seed=16)
    line.run(5.0)
    line.up.cut = line.down.cut = True
    line.run(1.0)
    line.up.cut = line.down.cut = False
    line.run(3.0)
    line.run(2.0, sensing=False)
    got = account(line)
    assert not line.told(Lost)
    assert not got.gaps
    assert got.readings[-1][2] == line.count


def test_only_the_way_to_the_node_broken_is_noticed_and_mended() -> None:
    line = Line(Faults(), seed=17)
    line.run(3.0)
    line.down.cut = True
    line.run(2.5)
    line.down.cut = False
    line.run(3.0)
    assert len(line.told(Lost)) == 1
    assert [event.how for _, event in line.told(Joined)] == ["first", "back"]
    assert account(line).readings[-1][2] >= line.count - 1


def test_more_than_the_line_can_carry_shows_as_a_gap_never_as_a_wrong_order() -> None:
    line = Line(Faults(bytes_per_second=20_000), seed=18, per_second=1500.0)
    line.run(10.0)
    got = account(line)
    assert line.link.dropped > 0
    assert got.gaps
    assert got.readings


@pytest.mark.parametrize("bytes_per_ms", [4, 10, 100])
def test_a_port_that_repeats_fill_still_lets_heartbeats_out_in_time(bytes_per_ms: int) -> None:
    """Every numbered message is lost and asked for again, for 20 s: the host must hear in time that the node lives."""
    codec = firmware("codec").load(str(NODE.parent / "link_schema.json"))
    nothing = [lambda: None] * 2
    link = firmware("link").Link(codec, 7, 1, (1, 0, 0, 0, "t", "n", ""), lambda: 0, *nothing, lambda *_: None)
    link.welcome(5, (codec.hash, link.opening), 0)
    beats, longest, splitter = [], 0, firmware("codec").Splitter(codec.max_body + 8)
    for now in range(20_000):
        if now % 20 == 0:
            link.send("scale", (0, now, 0), now * 1000)
        if now % SCHEMA.milliseconds["retry"] == 0:
            link.receive(codec.encode("nak", link.base, 7, 5, 0, ()), now)
        link.tick(now)
        longest = max(longest, len(link.out))
        went = bytes(link.out.next(bytes_per_ms))
        link.out.sent(len(went))
        beats += [now for block in splitter.feed(went) if (codec.decode(block) or ("",))[0] == "heartbeat"]
    gaps = [later - before for before, later in zip([0, *beats], [*beats, 20_000], strict=True)]
    assert max(gaps) < SCHEMA.milliseconds["silence"]
    assert longest <= 4096, "nothing piles up for a port that is slower than what is asked for again"
    assert link.is_open


def test_the_queue_keeps_its_order_round_its_end_and_refuses_one_too_many() -> None:
    queue = firmware("link").Queue(3)
    queue.append(1)
    for number in range(2, 9):
        queue.append(number)
        assert (queue.take(), len(queue)) == (number - 1, 1)
    queue.append(9)
    queue.append(10)
    with pytest.raises(IndexError):
        queue.append(11)
    assert [queue.take() for _ in range(3)] == [8, 9, 10]
    assert queue.slots == [None] * 3, "nothing that was taken is kept alive"


def test_bytes_for_the_port_keep_their_order_round_the_rings_end_and_refuse_what_has_no_room() -> None:
    out = firmware("link").Outgoing(10)
    wanted, got = b"", b""
    for number in range(40):
        data = bytes([number]) * (number % 7)
        while not out.put(data):
            went = bytes(out.next(3))
            out.sent(len(went))
            got += went
        wanted += data
    while len(out):
        went = bytes(out.next(10))
        out.sent(len(went))
        got += went
    assert got == wanted
    assert not out.put(b"x" * 11)
    assert len(out) == 0


def test_a_window_of_the_longest_messages_passes_a_port_that_holds_only_some_of_them() -> None:
    """32 of 250 bytes are more than may wait for the port: what has no room stays queued, and all arrive in order."""
    codec = firmware("codec").load(str(NODE.parent / "link_schema.json"))
    nothing = [lambda: None] * 2
    link = firmware("link").Link(codec, 7, 1, (1, 0, 0, 0, "t", "n", ""), lambda: 0, *nothing, lambda *_: None)
    link.welcome(5, (codec.hash, link.opening), 0)
    uids = tuple(bytes([number] * 8) for number in range(27))
    for micros in range(40):
        link.send("tags", (0, uids), micros)
    splitter, got, now = firmware("codec").Splitter(codec.max_body + 8), [], 0
    while len(got) < 40 and now < 5_000:
        now += 1
        link.tick(now)
        went = bytes(link.out.next(100))
        link.out.sent(len(went))
        for block in splitter.feed(went):
            frame = codec.decode(block)
            if frame is not None and frame[0] == "tags" and frame[1] == len(got):
                got.append(frame[4])
        if now % 50 == 0:
            link.receive(codec.encode("ack", len(got), 7, 5, 0, ()), now)
    assert got == list(range(40))


def test_a_host_that_starts_later_or_anew_gets_the_state_first() -> None:
    line = Line(Faults(), seed=19)
    line.run(3.0)
    line.session = LinkSession(7)
    line.events.clear()
    line.run(3.0)
    got = account(line)
    assert got.readings[-1][2] >= line.count - 1
    assert line.told(Joined)[0][0] - 3.0 < 1.0


def test_sequence_numbers_wrap_without_a_gap() -> None:
    line = Line(Faults(spoil=0.0002), seed=20, per_second=3000.0, capacity=4096)
    line.run(26.0)
    got = account(line)
    assert len(got.readings) > 0x10000
    assert not got.gaps


def test_garbage_from_a_line_never_becomes_an_event() -> None:
    line = Line(Faults(), seed=21)
    session = LinkSession(1)
    for number in range(2000):
        size = line.rng.randrange(200)
        noise = bytes(line.rng.randrange(256) for _ in range(size)) + b"\0"
        assert session.receive(noise, LinkTime(number / 100, number / 100)) == []
        assert session.tick(LinkTime(number / 100, number / 100)) == []
    assert session.counters.broken > 1000


def test_garbage_between_good_frames_costs_nothing_but_repeats() -> None:
    line = Line(Faults(), seed=22)
    for _ in range(200):
        line.run(0.02)
        line.up.write(bytes(line.rng.randrange(256) for _ in range(30)), line.now)
        line.down.write(bytes(line.rng.randrange(256) for _ in range(30)), line.now)
    line.run(1.0, sensing=False)
    got = account(line)
    assert not got.gaps
    assert got.readings[-1][2] == line.count


def test_a_node_with_another_schema_is_refused_once_and_in_a_sentence() -> None:
    line = Line(Faults(), seed=23)
    line.codec.hash ^= 1
    line.power_on()
    line.run(3.0)
    refused = line.told(Refused)
    assert len(refused) == 1
    assert "another version of the link" in refused[0][1].reason
    assert not line.told(Joined)


def test_frames_of_an_earlier_session_or_boot_are_not_taken_for_this_ones() -> None:
    line = Line(Faults(), seed=24)
    line.run(2.0)
    old = bytes(line.codec.encode("scale", 5, line.link.boot, line.link.session ^ 1, 0, (0, 999_999, 1)))
    other = bytes(line.codec.encode("scale", 5, line.link.boot ^ 1, line.link.session, 0, (0, 999_999, 1)))
    before = line.session.counters.stray
    line.session.receive(old + other, LinkTime(line.now, line.now))
    assert line.session.counters.stray == before + 2
    line.run(1.0)
    assert 999_999 not in [number for _, _, number in account(line).readings]


def test_all_is_told_as_delivered_up_to_a_moment_only_when_it_is() -> None:
    line = Line(Faults(spoil=0.002), seed=25)
    for _ in range(100):
        line.run(0.05)
        complete = line.session.complete_until
        if complete is not None:
            arrived = {number for _, _, number in account(line).readings}
            first = min(arrived)
            due = {n for n, at in line.sensed.items() if at < complete - 0.003 and n > first}
            assert due <= arrived
    assert line.session.complete_until is not None


def test_silence_is_noticed_after_the_time_that_the_schema_states() -> None:
    line = Line(Faults(), seed=26)
    line.run(2.0)
    line.up.cut = True
    line.run(SCHEMA.milliseconds["silence"] / 1000 - 0.1)
    assert not line.told(Lost)
    line.run(0.3)
    assert len(line.told(Lost)) == 1


@pytest.mark.parametrize("what", ["reset", "unplugged"])
@pytest.mark.parametrize("kind", LINES)
def test_after_a_break_on_any_line_nothing_is_repeated_and_no_gap_is_hidden(kind: str, what: str) -> None:
    line = Line(LINES[kind], seed=27)
    line.run(3.0)
    if what == "reset":
        line.up.lose_all()
        line.down.lose_all()
        line.power_on()
    else:
        line.up.cut = line.down.cut = True
        line.run(2.5)
        line.up.cut = line.down.cut = False
    line.run(4.0)
    line.run(2.0, sensing=False)
    got = account(line)
    assert len(line.told(Joined)) >= 2
    assert len(got.gaps) <= 2
    assert got.readings[-1][2] == line.count
