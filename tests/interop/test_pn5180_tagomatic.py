"""The simulated PN5180 answers a client that nobody here wrote, and our driver does on the wire what that client does.

pn5180-tagomatic (GPL-3) is installed for this test alone. It drives a PN5180 through a Pico with a sketch of its own in
C++; the sketch cannot run here, so an adapter of ours stands for the Pico (``rpc_adapter.py``). What the client itself
decides is its own: which registers, which requests, how an answer is read.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from lab.chips.iso15693_sim import Tag
from lab.chips.pn5180_sim import PN5180Sim, SimBus, SimClock
from lab.link.node_firmware import firmware
from tests.interop.rpc_adapter import Adapter

tagomatic = pytest.importorskip(
    "pn5180_tagomatic", reason="pn5180-tagomatic is not installed (dependency group interop)"
)
simple_rpc = pytest.importorskip("simple_rpc.simple_rpc", reason="arduino-simple-rpc is not installed")

UID = [bytes.fromhex(f"E00401{number:02X}55AA33{number * 16 + number:02X}") for number in range(6)]


@pytest.fixture
def chip() -> PN5180Sim:
    return PN5180Sim(SimClock())


@pytest.fixture
def client(chip: PN5180Sim, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The client, connected to the simulated chip."""
    monkeypatch.setattr(simple_rpc, "sleep", lambda _seconds: None)  # two seconds for a board to boot
    with Adapter(chip) as adapter, tagomatic.PN5180(adapter.port) as reader:
        reader.ll.reset()
        yield reader


def uids_of(client: Any) -> list[bytes]:
    ask = (tagomatic.TxProtocol.ISO_15693_ASK100_26, tagomatic.RxProtocol.ISO_15693_26)
    with client.start_session(*ask) as session:
        return sorted(card.uid_as_bytes() for card in session.iso15693_inventory())


def ours(chip: PN5180Sim) -> Any:
    """Our driver's inventory on the same chip."""
    bus = SimBus([chip])
    reader = firmware("pn5180").PN5180(bus, chip.cs, chip.busy, chip.reset, chip.clock)
    reader.start()
    return firmware("iso15693").Inventory(reader)


def test_it_reads_the_versions_registers_and_eeprom_of_the_simulated_chip(client: Any, chip: PN5180Sim) -> None:
    assert client.ll.read_eeprom(0x10, 6) == b"\x00\x04\x00\x04\x00\x90"
    client.ll.write_register(0x17, 0x12345678)
    client.ll.write_register_or_mask(0x17, 1 << 31)
    client.ll.write_register_and_mask(0x17, 0xFFFF0000)
    assert client.ll.read_register(0x17) == 0x92340000
    client.ll.write_register_multiple([(0x17, 1, 5), (0x17, 2, 8)])
    assert client.ll.read_register_multiple([0x17, 0x00]) == [13, 0]
    assert chip.faults == []


@pytest.mark.parametrize("count", [0, 1, 2, 6])
def test_its_inventory_finds_the_tags_that_ours_finds(client: Any, chip: PN5180Sim, count: int) -> None:
    chip.field.tags = [Tag(uid) for uid in UID[:count]]
    theirs = uids_of(client)
    assert theirs == UID[:count]
    assert chip.faults == []
    assert ours(chip).scan() == theirs


def test_both_put_the_same_bytes_into_the_field(client: Any, chip: PN5180Sim) -> None:
    chip.field.tags = [Tag(uid) for uid in UID[:2]]
    chip.frames = []
    uids_of(client)
    theirs, chip.frames = chip.frames, []
    ours(chip).scan(before=UID[:2])
    # it sends one end of frame more, after the last slot
    assert chip.frames[0] == bytes((0x06, 0x01, 0x00)), "two were there last time: the one question would collide"
    assert theirs == [*chip.frames, b""]
    assert chip.frames[1:] == [b""] * 15
    chip.frames = []
    ours(chip).scan()
    assert chip.frames[0] == bytes((0x26, 0x01, 0x00))
    assert chip.frames[1:17] == theirs[:-1]


def test_where_tags_collide_ours_follows_them_down_and_finds_all_that_it_misses(client: Any, chip: PN5180Sim) -> None:
    rng = random.Random(12)
    tags = sorted(b"\xe0\x04\x01" + rng.randbytes(5) for _ in range(12))
    chip.field.tags = [Tag(uid) for uid in tags]
    theirs = uids_of(client)
    assert set(theirs) < set(tags), "it resolves no collisions, and invents no tag either"
    assert ours(chip).scan() == tags


def test_it_selects_a_tag_and_reads_and_writes_its_memory(client: Any, chip: PN5180Sim) -> None:
    chip.field.tags = [Tag(UID[1])]
    chip.field.tags[0].memory[0:8] = b"TAVOLO\x00\x01"
    ask = (tagomatic.TxProtocol.ISO_15693_ASK100_26, tagomatic.RxProtocol.ISO_15693_26)
    with client.start_session(*ask) as session:
        card = session.connect_iso15693(session.iso15693_inventory()[0])
        assert (card.memory_block_size, card.memory_number_of_blocks) == (4, 80)
        assert card.read_memory(0, 8) == b"TAVOLO\x00\x01"
        card.write_memory(4, b"1234")
        assert card.read_memory(0, 8) == b"TAVO1234"
    assert chip.faults == []


def test_it_says_in_its_own_words_that_no_tag_is_there(client: Any, chip: PN5180Sim) -> None:
    ask = (tagomatic.TxProtocol.ISO_15693_ASK100_26, tagomatic.RxProtocol.ISO_15693_26)
    gone = tagomatic.Iso15693UniqueId(UID[0]) if hasattr(tagomatic, "Iso15693UniqueId") else None
    if gone is None:
        from pn5180_tagomatic.cards import Iso15693UniqueId

        gone = Iso15693UniqueId(UID[0])
    with client.start_session(*ask) as session, pytest.raises(TimeoutError):
        session.connect_iso15693(gone)


def test_its_names_of_registers_are_the_numbers_that_our_driver_uses() -> None:
    driver, theirs = firmware("pn5180"), tagomatic.constants.Registers
    for name in ("SYSTEM_CONFIG", "IRQ_ENABLE", "IRQ_STATUS", "IRQ_CLEAR", "RX_STATUS", "TX_CONFIG", "RF_STATUS"):
        assert getattr(driver, name) == int(theirs[name])
    assert int(theirs.CRC_RX_CONFIG) == driver.CRC_RX_CONFIG
    assert int(theirs.CRC_TX_CONFIG) == driver.CRC_TX_CONFIG
    both = (int(tagomatic.TxProtocol.ISO_15693_ASK100_26), int(tagomatic.RxProtocol.ISO_15693_26))
    assert both == driver.ISO15693_ASK100


def test_the_product_never_imports_it() -> None:
    from pathlib import Path

    root = Path(__file__).parents[2]
    for room in ("hw", "firmware_bridge", "vision", "table_service", "lab", "tools"):
        for path in (root / room).rglob("*.py"):
            assert "pn5180_tagomatic" not in path.read_text(encoding="utf-8"), path
