"""The command itself: help for a newcomer, exit code 2 for a slip."""

from __future__ import annotations

import re

import pytest

COMMANDS = ("demo", "run", "console", "replay", "rehearse", "meld", "count", "vp", "see", "doctor", "check", "audit")
COMMANDS += ("enrol", "calibrate", "new-game")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(invoke, command):
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert result.output.startswith("Usage: ")
    assert command in invoke("--help").output


@pytest.mark.parametrize(
    "args",
    [
        ("deal",),
        ("meld", "--whist"),
        ("demo", "--speed", "1000"),
        ("demo", "--port", "70000"),
        ("run",),
        ("console",),
        ("check",),
        ("audit",),
        ("replay",),
        ("count",),
        ("vp",),
    ],
)
def test_wrong_use_exits_2_and_says_how(invoke, args):
    result = invoke(*args)
    assert result.exit_code == 2
    assert "Usage: " in result.output


def test_no_command_shows_the_help(invoke):
    assert "rehearse" in invoke().output


def test_the_version_is_said(tavolo):
    done = tavolo("--version")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("tavolo 0.")


@pytest.mark.parametrize(
    ("shell", "asked"),
    [
        ("bash", {"COMP_WORDS": "tavolo re", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "tavolo re"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "tavolo re", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_a_shell_completes_a_command(tavolo, shell, asked):
    """As the script that `tavolo --show-completion` prints asks it."""
    result = tavolo(env={"_TAVOLO_COMPLETE": f"complete_{shell}", **asked})
    assert result.returncode == 0
    words = re.findall(rb"\w+", result.stdout)
    assert {b"replay", b"rehearse"} <= set(words)
    assert b"audit" not in words
