"""Plan for a machine that runs a table or a hall's console, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.errors import TavoloError
from table_service.install import contents
from table_service.install import step_kinds as kinds

CameraKind = Literal["picamera2", "v4l2", "none"]
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_ADDRESS: Final = re.compile(r"[A-Za-z0-9._:-]{1,120}")
_SERIAL: Final = re.compile(r"[A-Za-z0-9]{4,64}")

PYTHON_PACKAGES: Final = ("python3-venv",)
PI_CAMERA: Final = ("python3-picamera2",)
SCREEN: Final = ("cog", "libgles2")
ENVIRONMENT: Final = "/opt/tavolo"
SETTINGS: Final = "/etc/tavolo"
STATE: Final = "/var/lib/tavolo"
CONSOLE_ACCOUNT: Final = "tavolo-console"
SCREEN_ACCOUNT: Final = "tavolo-screen"
_LONGEST_ACCOUNT: Final = 31
"""Characters of a user's name at most, by systemd and utmp(5)."""


class PlanError(TavoloError, ValueError):
    """The request cannot be installed; the message is one sentence."""


@dataclass(frozen=True)
class Wish:
    """Purpose of the machine. ``tables`` run here, ``console`` serves their hall; ``source``: where Tavolo is.

    ``broker``: the address of the hall's broker, empty if the broker is to run here; it then also serves
    ``guests``, tables that run on machines of their own. ``away``: people whose programs outside the
    hall sign in there and hear what is sent to them. ``boards``: serial numbers of the controllers by their port's
    name. ``time_server``: the hall's clock. ``authority``: the folder of `tavolo hall`, from which
    ``broker_settings`` and ``console_settings`` are; programs sign in with a certificate, none by password.
    """

    source: str
    pins: str = ""
    tables: tuple[str, ...] = ()
    hall: str = "sala"
    console: bool = False
    camera: CameraKind = "picamera2"
    screen: bool = False
    broker: str = ""
    guests: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    boards: dict[str, str] = field(default_factory=dict)
    time_server: str = ""
    authority: str = ""
    broker_settings: str = ""
    console_settings: str = ""

    def __post_init__(self) -> None:
        self._check_words()
        if not self.tables and not self.console:
            raise PlanError("say what this machine is to be: --table NAME, --console, or both")
        if self.guests and self.broker:
            raise PlanError("--guests belong to the machine where the broker runs, so not to one with --broker")
        if self.away and (self.broker or self.authority):
            raise PlanError(
                "--away belongs to the machine where the broker runs with passwords: in a hall with certificates "
                "'tavolo hall away' lets somebody listen"
            )
        if self.authority and self.broker:
            raise PlanError("--authority belongs to the machine where the broker runs, so not to one with --broker")
        if self.authority and not self.authority.startswith("/"):
            raise PlanError("--authority names the hall's folder whole, as /etc/tavolo-hall")
        self._check_accounts()
        self._check_screen()

    def _check_accounts(self) -> None:
        """Each table that runs here is a user of its own."""
        for name in self.tables:
            if table_account(name) in (CONSOLE_ACCOUNT, SCREEN_ACCOUNT):
                raise PlanError(f"a table cannot be called '{name}' here: its user would be that of another service")
            if len(table_account(name)) > _LONGEST_ACCOUNT:
                most = _LONGEST_ACCOUNT - len(table_account(""))
                raise PlanError(f"'{name}' is too long for a table that runs here: its user's name has {most} at most")

    def _check_screen(self) -> None:
        if self.screen and not self.tables:
            raise PlanError("--screen shows a table's own page, and no --table is named")
        if self.screen and len(set(self.tables)) > 1:
            raise PlanError("--screen shows one table's page, and several tables are named")

    def _check_words(self) -> None:
        for name in (*self.tables, *self.guests, *self.away, self.hall):
            if not NAME.fullmatch(name):
                raise PlanError(f"'{name}' is no name for a table or hall: letters, digits, - and _, at most 40")
        for address in (self.broker, self.time_server):
            if address and not _ADDRESS.fullmatch(address):
                raise PlanError(f"'{address}' is no address of a machine")
        for port, serial in self.boards.items():
            if not _SERIAL.fullmatch(serial):
                raise PlanError(f"'{serial}' is no serial number of a board (--{port}): letters and digits")

    @property
    def broker_here(self) -> bool:
        """True if the MQTT broker runs on this machine."""
        return not self.broker

    @property
    def opens_broker(self) -> bool:
        """True if other machines sign in at the broker here."""
        return self.broker_here and bool(self.guests or self.away)


def table_account(table: str) -> str:
    """Return the user of this machine as which a table runs."""
    return f"tavolo-{table}"


def plan(wish: Wish) -> tuple[kinds.Step, ...]:
    """Return the steps of ``wish`` in the order in which they are done; undone in the other."""
    return (
        _release(wish),
        kinds.Packages(_packages(wish)),
        kinds.Account("tavolo", ("dialout", "video"), STATE),
        *(
            kinds.Account(table_account(name), ("tavolo", "dialout", "video"), f"{STATE}/{name}")
            for name in wish.tables
        ),
        *((kinds.Account(CONSOLE_ACCOUNT, ("tavolo",), f"{STATE}/console"),) if wish.console else ()),
        kinds.Folder(SETTINGS, "root:tavolo", 0o750),
        kinds.Folder(f"{SETTINGS}/secrets", "root:tavolo", 0o750),
        kinds.Folder(STATE, "root:tavolo", 0o755),
        kinds.Environment(ENVIRONMENT, wish.source, wish.pins, system=wish.camera == "picamera2"),
        *_links(),
        *_boards(wish),
        *_clock(wish),
        *_broker(wish),
        *_tables(wish),
        *_console(wish),
        *_screen(wish),
    )


def _release(wish: Wish) -> kinds.Release:
    if wish.camera == "picamera2":
        why = (
            "Tavolo needs numpy 2, for which the camera libraries of older releases were not built: "
            "install Raspberry Pi OS (64-bit) on Debian 13 'trixie', or use a USB camera (--camera v4l2)"
        )
        return kinds.Release(("trixie",), ("arm64", "amd64"), why)
    return kinds.Release(
        ("bookworm", "trixie"), ("arm64", "amd64"), "install Debian 12 or 13, or Raspberry Pi OS (64-bit) on it"
    )


def _packages(wish: Wish) -> tuple[str, ...]:
    names = [*PYTHON_PACKAGES, "chrony"]
    if wish.broker_here:
        names.append("mosquitto")
    if wish.camera == "picamera2":
        names += PI_CAMERA
    if wish.screen:
        names += SCREEN
    return tuple(names)


def _links() -> tuple[kinds.Step, ...]:
    return (
        kinds.File("/usr/local/bin/tavolo", f'#!/bin/sh\nexec {ENVIRONMENT}/bin/tavolo "$@"\n', mode=0o755),
        kinds.File("/etc/systemd/system.conf.d/tavolo.conf", contents.SYSTEM_WATCHDOG),
    )


def _boards(wish: Wish) -> tuple[kinds.Step, ...]:
    if not wish.tables:
        return ()
    return (
        kinds.File("/etc/modules-load.d/tavolo.conf", contents.MODULES),
        kinds.File("/etc/udev/rules.d/99-tavolo.rules", contents.udev_rules(wish.boards)),
    )


def _clock(wish: Wish) -> tuple[kinds.Step, ...]:
    text = contents.chrony(wish.time_server, serves=wish.console)
    return (kinds.File("/etc/chrony/conf.d/tavolo.conf", text), kinds.Service("chrony.service", ours=False))


def _users(wish: Wish) -> tuple[kinds.BrokerUser, ...]:
    """Users of the broker: each table one, the console one. Those of other machines get theirs copied from here."""
    here = [contents.table_user(name) for name in (*wish.tables, *wish.guests)]
    here += [contents.away_user(name) for name in wish.away]
    if wish.console or wish.broker_here:
        here.append(contents.CONSOLE_USER)
    return tuple(kinds.BrokerUser(name, contents.secret(name), "root:root") for name in here)


def _broker(wish: Wish) -> tuple[kinds.Step, ...]:
    if not wish.broker_here:
        return ()
    start = kinds.File("/etc/systemd/system/mosquitto.service.d/tavolo.conf", contents.BROKER_START)
    if wish.authority:
        return (
            kinds.File("/etc/mosquitto/conf.d/tavolo.conf", wish.broker_settings),
            start,
            kinds.Service("mosquitto.service", ours=False),
        )
    return (
        kinds.File(
            "/etc/mosquitto/tavolo.acl",
            contents.acl(wish.hall, (*wish.tables, *wish.guests), away=wish.away),
            mode=0o644,
        ),
        *_users(wish),
        kinds.File("/etc/mosquitto/conf.d/tavolo.conf", contents.mosquitto(everywhere=wish.opens_broker)),
        start,
        kinds.Service("mosquitto.service", ours=False),
    )


def _tables(wish: Wish) -> tuple[kinds.Step, ...]:
    if not wish.tables:
        return ()
    steps: list[kinds.Step] = [
        kinds.File("/etc/systemd/system/tavolo-table@.service", contents.shipped("systemd/tavolo-table@.service")),
        kinds.File("/etc/polkit-1/rules.d/50-tavolo-power.rules", contents.shipped("systemd/50-tavolo-power.rules")),
    ]
    for number, name in enumerate(wish.tables):
        text = contents.table_toml(name, wish.hall, wish.camera, wish.broker, 8081 + number)
        steps.append(kinds.File(f"{SETTINGS}/{name}.toml", text, "root:tavolo", 0o640, keep=True))
        steps.append(kinds.Service(f"tavolo-table@{name}.service"))
    return tuple(steps)


def _console(wish: Wish) -> tuple[kinds.Step, ...]:
    if not wish.console:
        return ()
    text = wish.console_settings or contents.hall_toml(wish.hall, (*wish.tables, *wish.guests), wish.broker)
    return (
        kinds.File("/etc/systemd/system/tavolo-console.service", contents.shipped("systemd/tavolo-console.service")),
        kinds.File(f"{SETTINGS}/hall.toml", text, "root:tavolo", 0o640, keep=True),
        kinds.Service("tavolo-console.service"),
    )


def _screen(wish: Wish) -> tuple[kinds.Step, ...]:
    if not wish.screen:
        return ()
    return (
        kinds.Account(SCREEN_ACCOUNT, ("video", "render", "input"), "/var/lib/tavolo-screen"),
        kinds.File("/etc/systemd/system/tavolo-screen.service", contents.shipped("systemd/tavolo-screen.service")),
        kinds.Service("tavolo-screen.service"),
    )
