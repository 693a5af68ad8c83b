"""Who a real mosquitto lets in by the settings that `tavolo hall` wrote, and what each may do there."""

from __future__ import annotations

import shutil
import signal
import socket
import ssl
import threading
import time
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from table_service.hall import hall_folder
from table_service.hall.authority import load_authority, new_authority, now
from tests.hall.conftest import Hall

REFUSED = (0x87, None)
"""MQTT 5's "not authorized", or no word: mosquitto 2.0 hangs up on whoever is refused over TLS, at times before it."""
DONE = (0, 0x10)
"""MQTT 5's "success", and "nobody listens"."""


def test_a_table_with_its_certificate_speaks_on_its_own_topics_and_on_no_other_tables(hall: Hall) -> None:
    console, table = hall.console(), hall.table("T1")
    console.subscribe("tavolo/v1/sala/#")
    assert table.answer == 0
    assert table.publish("tavolo/v1/sala/T1/state") in DONE
    for foreign in ("T2/state", "T2/command", "T2/alert/x", "~console/mark/1"):
        assert hall.table("T1").publish(f"tavolo/v1/sala/{foreign}") in REFUSED
    assert hall.table("T1").publish("tavolo/v1/sala/T1/health") in DONE
    console.wait(lambda: "tavolo/v1/sala/T1/health" in console.heard)
    assert console.heard == ["tavolo/v1/sala/T1/state", "tavolo/v1/sala/T1/health"]


def test_the_console_orders_but_cannot_speak_for_a_table(hall: Hall) -> None:
    assert hall.console().publish("tavolo/v1/sala/T1/command") in DONE
    assert hall.console().publish("tavolo/v1/sala/T1/state") in REFUSED


def test_who_sends_more_than_a_table_ever_says_is_cut_off_and_the_others_play_on(hall: Hall) -> None:
    console, first, second = hall.console(), hall.table("T1"), hall.table("T2")
    console.subscribe("tavolo/v1/sala/#")
    first.client.publish("tavolo/v1/sala/T1/state", b"x" * 50_000_000, qos=1)
    first.wait(lambda: first.over)
    assert second.publish("tavolo/v1/sala/T2/state") in DONE
    console.wait(lambda: console.heard)
    assert console.heard == ["tavolo/v1/sala/T2/state"]
    assert hall.table("T1").publish("tavolo/v1/sala/T1/evidence/f", b"x" * 2_000_000) in DONE, "a picture goes through"


def test_a_table_hears_its_orders_and_nothing_of_another(hall: Hall) -> None:
    first, second, console = hall.table("T1"), hall.table("T2"), hall.console()
    second.subscribe("#")
    assert first.publish("tavolo/v1/sala/T1/sealed/1") in DONE
    assert console.publish("tavolo/v1/sala/T2/command") in DONE
    second.wait(lambda: second.heard)
    assert second.heard == ["tavolo/v1/sala/T2/command"]


def test_a_table_cannot_take_over_anothers_session_by_its_name(hall: Hall) -> None:
    first = hall.table("T1", client_id="tavolo-sala-T1")
    second = hall.table("T2", client_id="tavolo-sala-T1")
    assert second.answer == 0
    assert second.publish("tavolo/v1/sala/T2/state") in DONE
    assert first.publish("tavolo/v1/sala/T1/state") in DONE
    assert not first.over


def test_who_has_no_certificate_is_refused(hall: Hall) -> None:
    assert hall.person(None).answer is None


def test_who_does_not_encrypt_is_refused(hall: Hall) -> None:
    for port in (hall.doors.tables, hall.doors.console):
        answered = threading.Event()
        over = threading.Event()
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        client.username_pw_set("table-T1", "x")
        client.on_connect = lambda *_, heard=answered: heard.set()
        client.on_disconnect = lambda *_, heard=over: heard.set()
        client.reconnect_delay_set(30, 60)
        client.connect("127.0.0.1", port)
        client.loop_start()
        assert over.wait(20)
        assert not answered.is_set()
        client.disconnect()
        client.loop_stop()


def test_who_has_a_certificate_of_another_authority_is_refused(hall: Hall, tmp_path: Path) -> None:
    made = new_authority("sala", now()).issue("table-T1", "client", now())
    (tmp_path / "false.crt").write_bytes(made.certificate)
    (tmp_path / "false.key").write_bytes(made.key)
    assert hall.person(tmp_path / "false.crt").answer is None


def test_who_shows_the_brokers_own_certificate_is_refused_as_a_client(hall: Hall) -> None:
    assert hall.person(hall.folder / "broker" / "broker.crt").answer is None


def test_a_certificate_at_its_end_is_refused(hall: Hall, tmp_path: Path) -> None:
    from datetime import timedelta

    place = hall.folder / "authority"
    authority = load_authority((place / "authority.crt").read_bytes(), (place / "authority.key").read_bytes())
    made = authority.issue("table-T1", "client", now() - timedelta(days=10), days=9)
    (tmp_path / "old.crt").write_bytes(made.certificate)
    (tmp_path / "old.key").write_bytes(made.key)
    assert hall.person(tmp_path / "old.crt").answer is None


def test_a_revoked_table_is_cut_off_and_refused_while_the_others_play_on(hall: Hall, tmp_path: Path) -> None:
    shutil.copytree(hall.folder / "tables" / "T1", tmp_path / "stolen")
    thief = hall.person(tmp_path / "stolen" / "T1.crt")
    assert thief.publish("tavolo/v1/sala/T1/state") in DONE
    assert hall_folder.revoke(hall.folder, ["T1"], now()) == ["T1"]
    hall.restart()
    thief.wait(lambda: thief.over)
    assert hall.person(tmp_path / "stolen" / "T1.crt").answer is None
    assert hall.table("T2").publish("tavolo/v1/sala/T2/state") in DONE


def test_a_table_that_was_shut_out_comes_back_with_a_new_certificate_and_not_with_the_old(
    hall: Hall, tmp_path: Path
) -> None:
    shutil.copytree(hall.folder / "tables" / "T1", tmp_path / "stolen")
    hall_folder.revoke(hall.folder, ["T1"], now())
    assert hall_folder.renew(hall.folder, ["T1"], now()) == ["table-T1"]
    hall.restart()
    assert hall.table("T1").publish("tavolo/v1/sala/T1/state") in DONE
    assert hall.person(tmp_path / "stolen" / "T1.crt").answer is None


def test_a_renewed_table_plays_on_with_its_old_certificate_until_it_has_read_the_new_card(
    hall: Hall, tmp_path: Path
) -> None:
    shutil.copytree(hall.folder / "tables" / "T1", tmp_path / "before")
    hall_folder.renew(hall.folder, ["T1"], now())
    hall.restart()
    for certificate in (tmp_path / "before" / "T1.crt", hall.folder / "tables" / "T1" / "T1.crt"):
        person = hall.person(certificate)
        assert person.publish("tavolo/v1/sala/T1/state") in DONE
        person.close()


def test_a_stolen_tables_certificate_cannot_pose_as_the_broker(folder: Path) -> None:
    """A table believes a server's certificate only: with another table's nobody can stand between."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "tables" / "T2" / "T2.crt", folder / "tables" / "T2" / "T2.key")
    client = ssl.create_default_context(cafile=str(folder / "authority" / "authority.crt"))
    client.check_hostname = False  # even where the name were right
    with socket.socketpair()[0] as _:
        ours, theirs = socket.socketpair()

        def serve() -> None:
            try:
                server.wrap_socket(theirs, server_side=True).close()
            except OSError:
                theirs.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(ssl.SSLCertVerificationError, match="purpose"):
            client.wrap_socket(ours)
        ours.close()
        thread.join(10)


def test_a_hangup_signal_makes_a_revoked_table_mute_and_lets_it_in_no_more_while_the_others_play_on(
    hall: Hall, tmp_path: Path
) -> None:
    assert hall.process is not None
    shutil.copytree(hall.folder / "tables" / "T1", tmp_path / "stolen")
    thief, other = hall.person(tmp_path / "stolen" / "T1.crt"), hall.table("T2")
    hall_folder.revoke(hall.folder, ["T1"], now())
    assert thief.publish("tavolo/v1/sala/T1/state") in DONE, "the broker has not read it yet"
    hall.process.send_signal(signal.SIGHUP)
    for _ in range(100):
        if thief.publish("tavolo/v1/sala/T1/state") in REFUSED:
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the revoked table still speaks")
    assert hall.person(tmp_path / "stolen" / "T1.crt").answer is None
    assert other.publish("tavolo/v1/sala/T2/state") in DONE
    assert not other.over


def test_a_program_outside_hears_what_one_person_is_told_and_nothing_else(hall: Hall) -> None:
    hall_folder.listen(hall.folder, ["Anna", "Bea"], now())
    hall.restart()
    program = hall.person(hall.folder / "away" / "Anna" / "Anna.crt")
    assert program.answer == 0
    program.subscribe("#")
    console = hall.console()
    for topic in ("~console/away/Bea", "~console/mark/1", "T1/command", "~console/away/Anna"):
        assert console.publish(f"tavolo/v1/sala/{topic}") in DONE
    program.wait(lambda: program.heard)
    assert program.heard == ["tavolo/v1/sala/~console/away/Anna"]
    assert program.publish("tavolo/v1/sala/~console/away/Anna") in REFUSED
    assert hall_folder.deafen(hall.folder, ["Anna", "Carla"], now()) == ["Anna"]
    assert not (hall.folder / "away" / "Anna").exists()
    rights = (hall.folder / "broker" / "rights.acl").read_text()
    assert "away-Anna" not in rights
    assert "user away-Bea\ntopic read tavolo/v1/sala/~console/away/Bea\n" in rights
    hall_folder.renew(hall.folder, ["T1"], now())
    assert hall_folder.read_book(hall.folder).listeners == ["Bea"], "what comes later leaves it as it is"
