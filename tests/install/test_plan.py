"""The plan of an installation: data, and the files it writes are what their readers take."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from table_service.console.hall_config import load_hall
from table_service.install import contents
from table_service.install.command import BOARDS, main
from table_service.install.machine_plan import CameraKind, PlanError, Wish, plan
from table_service.install.step_kinds import BrokerUser, File, Packages, Release, Service, name_of
from table_service.rulesets import load_table

ROOT = Path(__file__).parents[2]


def _files(wish: Wish) -> dict[str, File]:
    return {step.path: step for step in plan(wish) if isinstance(step, File)}


def test_every_step_has_a_name_of_its_own() -> None:
    steps = plan(Wish("/src", tables=("T1", "T2"), console=True))
    assert len({name_of(step) for step in steps}) == len(steps)


def test_a_pi_camera_wants_trixie_and_picamera2_and_a_usb_camera_does_not() -> None:
    own = plan(Wish("/src", tables=("T1",), camera="picamera2"))
    usb = plan(Wish("/src", tables=("T1",), camera="v4l2"))
    assert [s.codenames for s in own if isinstance(s, Release)] == [("trixie",)]
    assert "python3-picamera2" in next(s for s in own if isinstance(s, Packages)).names
    assert [s.codenames for s in usb if isinstance(s, Release)] == [("bookworm", "trixie")]
    assert "python3-picamera2" not in next(s for s in usb if isinstance(s, Packages)).names


@pytest.mark.parametrize("camera", ["picamera2", "v4l2", "none"])
def test_the_table_written_is_one_that_tavolo_check_accepts(tmp_path: Path, camera: CameraKind) -> None:
    step = _files(Wish("/src", tables=("T7",), hall="bologna", camera=camera))["/etc/tavolo/T7.toml"]
    path = tmp_path / "T7.toml"
    path.write_text(step.text, "utf-8")
    table = load_table(path)
    assert (table.table.name, table.table.hall) == ("T7", "bologna")
    assert table.camera.source.split(":")[0] == camera
    assert table.broker.username == "table-T7"
    assert str(table.broker.password_file) == contents.secret("table-T7")
    assert step.keep


def test_the_hall_written_names_its_tables_and_signs_in_as_the_console(tmp_path: Path) -> None:
    step = _files(Wish("/src", tables=("T1",), console=True, guests=("T2",)))["/etc/tavolo/hall.toml"]
    path = tmp_path / "hall.toml"
    path.write_text(step.text, "utf-8")
    hall = load_hall(path)
    assert hall.hall.tables == ("T1", "T2")
    assert hall.broker.username == "console"


def test_the_example_table_looks_through_the_pis_own_camera() -> None:
    assert load_table(ROOT / "examples" / "table.toml").camera.source == "picamera2"


def test_two_tables_of_one_machine_show_their_pages_on_ports_of_their_own() -> None:
    files = _files(Wish("/src", tables=("T1", "T2")))
    ports = [tomllib.loads(files[f"/etc/tavolo/{name}.toml"].text)["display"]["port"] for name in ("T1", "T2")]
    assert len(set(ports)) == 2


def test_a_table_whose_broker_is_elsewhere_brings_no_broker() -> None:
    steps = plan(Wish("/src", tables=("T1",), broker="192.168.1.2"))
    assert not [s for s in steps if isinstance(s, BrokerUser)]
    assert "mosquitto.service" not in {s.unit for s in steps if isinstance(s, Service)}


def test_whose_program_listens_outside_has_a_user_that_reads_his_topic_alone() -> None:
    wish = Wish("/src", console=True, hall="bologna", away=("Anna",))
    rights = _files(wish)["/etc/mosquitto/tavolo.acl"].text
    assert rights.endswith("\nuser away-Anna\ntopic read tavolo/v1/bologna/~console/away/Anna\n")
    assert "away-Anna" in [step.name for step in plan(wish) if isinstance(step, BrokerUser)]
    assert "listener 1883\n" in _files(wish)["/etc/mosquitto/conf.d/tavolo.conf"].text, "it signs in from elsewhere"


def test_boards_get_the_ports_that_the_example_table_names_and_unnamed_ones_get_none() -> None:
    rules = contents.udev_rules({"gates": "E66038B71345"})
    assert 'ID_SERIAL_SHORT}=="E66038B71345", SYMLINK+="tavolo-gates"' in rules
    assert "tavolo-table" not in rules
    assert "tavolo-places" not in rules
    third = contents.udev_rules({"places": "E66038B72222"})
    assert 'ID_SERIAL_SHORT}=="E66038B72222", SYMLINK+="tavolo-places"' in third
    assert "E6614103E7" not in contents.udev_rules({})
    ports = {node.port for node in load_table(ROOT / "examples" / "table.toml").nodes.values()}
    assert ports == {"/dev/tavolo-gates", "/dev/tavolo-table"}


def test_the_third_board_of_tarocco_and_bridge_gets_the_port_that_their_tables_name() -> None:
    for name in ("tarocco", "bridge"):
        text = tomllib.loads((ROOT / "examples" / f"{name}.toml").read_text("utf-8"))
        ports = {node["port"] for node in text["nodes"].values()}
        assert ports == {f"/dev/tavolo-{port}" for port in BOARDS.values()}


def test_a_usb_cameras_link_is_never_one_of_the_pis_own_video_devices() -> None:
    line = next(one for one in contents.udev_rules({}).splitlines() if "tavolo-camera" in one)
    assert 'SUBSYSTEMS=="usb"' in line


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"tables": ("T 1",)},
        {"tables": ("T1",), "boards": {"gates": 'x"; reboot'}},
        {"tables": ("T1",), "broker": "a b"},
        {"tables": ("T1",), "broker": "h", "guests": ("T2",)},
        {"tables": ("T1",), "broker": "h", "away": ("Anna",)},
        {"console": True, "authority": "/etc/hall", "away": ("Anna",)},
        {"console": True, "away": ("la chief",)},
        {"console": True, "screen": True},
        {"tables": ("T1", "T2"), "screen": True},
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(wish: dict[str, Any]) -> None:
    with pytest.raises(PlanError) as caught:
        Wish("/src", **wish)
    assert "\n" not in str(caught.value)


def test_the_table_unit_allows_the_devices_of_boards_and_cameras() -> None:
    """By number where the kernel has one: a name is only known once its driver is loaded (seen under systemd 257)."""
    unit = contents.shipped("systemd/tavolo-table@.service")
    allowed = set(re.findall(r"(?m)^DeviceAllow=(\S+)", unit))
    tty_acm, tty_usb, video = "char-166", "char-188", "char-81"
    assert allowed == {tty_acm, tty_usb, video, "char-media", "char-dma_heap"}
    files = _files(Wish("/src", tables=("T1",)))
    assert "\nmc\n" in files["/etc/modules-load.d/tavolo.conf"].text


def test_with_a_halls_authority_the_broker_has_its_settings_and_nobody_a_password(tmp_path: Path) -> None:
    wish = Wish(
        "/src", tables=("T1",), console=True, authority="/etc/tavolo-hall",
        broker_settings="listener 8883\n", console_settings="[hall]\n",
    )  # fmt: skip
    files = _files(wish)
    assert files["/etc/mosquitto/conf.d/tavolo.conf"].text == "listener 8883\n"
    assert files["/etc/tavolo/hall.toml"].text == "[hall]\n"
    assert not any(isinstance(step, BrokerUser) for step in plan(wish))
    assert "/etc/mosquitto/tavolo.acl" not in files


@pytest.mark.parametrize("wrong", [{"authority": "hall"}, {"authority": "/etc/tavolo-hall", "broker": "hall.local"}])
def test_an_authority_is_a_whole_path_on_the_brokers_machine(wrong: dict[str, str]) -> None:
    with pytest.raises(PlanError):
        Wish("/src", tables=("T1",), **wrong)  # type: ignore[arg-type]


def test_a_folder_without_a_hall_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--table", "T1", "--authority", "/etc/none", "--from", str(ROOT), "--root", str(tmp_path), "--dry-run"]
    assert main(args) == 1
    assert "holds no hall" in capsys.readouterr().err
