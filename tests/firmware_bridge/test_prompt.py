"""A host never stops a node by what it says, and one that stands at MicroPython's prompt is brought back."""

from __future__ import annotations

import pytest

from firmware_bridge.codec import encode
from firmware_bridge.frames import Frame, Heartbeat, HelloRequest
from firmware_bridge.repl import ASK, ASK_AFTER, LEAVE, PATIENCE, RUNS, SETTLE, TRIES, ReplWatch
from firmware_bridge.session import Joined, LinkSession, LinkTime, Lost
from lab.link.line import Faults, Line

BANNER = (
    b"\r\nMicroPython v1.28.0 on 2026-04-06; Raspberry Pi Pico with RP2040\r\n"
    b'Type "help()" for more information.\r\n>>> '
)
CRASH = (
    b'Traceback (most recent call last):\r\n  File "main.py", line 18, in <module>\r\n'
    b'  File "startup.py", line 24, in begin\r\nMemoryError: memory allocation failed, allocating 512 bytes\r\n'
)
STOPPED = b'Traceback (most recent call last):\r\n  File "main.py", line 9, in <module>\r\nKeyboardInterrupt: \r\n'


def test_a_host_says_nothing_before_it_has_heard_a_frame() -> None:
    session = LinkSession(7)
    for step in range(1000):
        assert session.tick(LinkTime(step / 100, step / 100)) == []
        assert session.receive(BANNER if step % 100 == 0 else b"", LinkTime(step / 100, step / 100)) == []
        assert session.output() == b""


def test_the_call_itself_holds_a_ctrl_c_which_is_why() -> None:
    assert b"\x03" in encode(Frame(0, 0, 1, 0, HelloRequest()))


def test_a_frame_of_another_hosts_session_is_answered_with_a_call() -> None:
    session = LinkSession(7)
    beat = encode(Frame(3, 99, 5, 0, Heartbeat(0, 0, 0, 0)))
    session.receive(beat, LinkTime(1.0, 1.0))
    assert session.output() == b"\0" + encode(Frame(0, 0, 7, 0, HelloRequest()))
    session.receive(beat, LinkTime(1.05, 1.05))
    assert session.output() == b"", "once in 100 ms"


@pytest.mark.parametrize("faults", [Faults(), Faults(spoil=0.005), Faults(lose=0.02)])
def test_a_new_host_takes_over_an_open_session_within_a_second(faults: Faults) -> None:
    line = Line(faults, seed=5)
    line.run(2.0)
    line.session = LinkSession(999)
    before = line.now
    line.run(1.0)
    joined = line.told(Joined)
    assert len(joined) == 2
    assert joined[1][0] - before < 1.0


def test_a_node_that_falls_back_to_its_prompt_hears_nothing_more() -> None:
    line = Line(Faults(), seed=6)
    line.run(2.0)
    told = line.session.unplugged("its program has ended")
    assert [type(event) for event in told] == [Lost]
    assert line.session.output() == b""
    assert line.session.tick(LinkTime(line.now + 0.1, line.now + 0.1)) == []
    assert line.session.output() == b""


@pytest.mark.parametrize(
    "text",
    [
        BANNER,
        CRASH,
        STOPPED,
        b"raw REPL; CTRL-B to exit\r\n>",
        b"\r\npaste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n",
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_repls_text_is_recognised_however_it_arrives_and_told_once(text: bytes, size: int) -> None:
    watch = ReplWatch()
    watch.opened(0.0)
    signs = [watch.heard(text[at : at + size], 0.1) for at in range(0, len(text), size)]
    assert signs.count(True) == 1
    assert watch.tick(0.1 + SETTLE / 2).out == b"", "the text is read to its end first"
    advice = watch.tick(0.1 + SETTLE)
    assert advice.out == LEAVE
    assert "prompt" in advice.sentence


def test_the_error_that_ended_the_program_is_named() -> None:
    watch = ReplWatch()
    watch.opened(0.0)
    watch.heard(b"\x14\x03" + CRASH + BANNER, 1.0)
    assert "'MemoryError: memory allocation failed, allocating 512 bytes'" in watch.tick(1.0 + SETTLE).sentence


def test_a_silent_prompt_is_asked_with_a_byte_that_stops_no_program() -> None:
    watch = ReplWatch()
    watch.opened(10.0)
    assert watch.tick(10.0 + ASK_AFTER - 0.1).out == b""
    assert watch.tick(10.0 + ASK_AFTER).out == ASK
    assert watch.tick(10.1 + ASK_AFTER).out == b""
    assert not set(ASK) & {1, 3, 4, 5}
    watch.spoke(20.0)
    assert watch.tick(20.0 + ASK_AFTER / 2).out == b""


def test_tries_are_bounded_over_re_openings_and_count_anew_after_a_minute_of_frames() -> None:
    watch = ReplWatch()
    now, restarts = 0.0, 0
    for _ in range(TRIES + 3):
        watch.opened(now)
        watch.heard(CRASH + BANNER, now)
        advice = watch.tick(now + SETTLE)
        restarts += advice.out == LEAVE
        now += PATIENCE
    assert restarts == watch.restarts == TRIES
    watch.spoke(now)
    watch.spoke(now + RUNS)
    watch.heard(CRASH, now + RUNS + 1)
    assert watch.tick(now + RUNS + 2).out == LEAVE


def test_a_node_that_does_not_come_back_is_given_up_with_a_sentence() -> None:
    watch = ReplWatch()
    watch.opened(0.0)
    watch.heard(BANNER, 0.0)
    told = [watch.tick(second / 2) for second in range(200)]
    assert [advice.out for advice in told if advice.out] == [LEAVE] * TRIES
    assert "tavolo node verify" in [advice.sentence for advice in told if advice.sentence][-1]


def test_frames_hold_no_mark_of_a_prompt() -> None:
    watch = ReplWatch()
    watch.opened(0.0)
    line = Line(Faults(), seed=8)
    seen: list[bytes] = []
    read = line.up.read

    def note(now: float) -> list[bytes]:
        data = read(now)
        seen.extend(data)
        return data

    line.up.read = note  # type: ignore[method-assign]
    line.run(20.0)
    assert len(b"".join(seen)) > 50_000
    assert not watch.heard(b"".join(seen), 0.0)
