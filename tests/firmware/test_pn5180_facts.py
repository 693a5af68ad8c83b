"""Driver and simulated chip, each against the data sheet's numbers and against what real chips said in public logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lab.chips import iso15693_sim, pn5180_sim
from lab.chips.iso15693_sim import Tag
from lab.chips.pn5180_sim import PN5180Sim, SimClock
from lab.link import scan_times
from lab.link.node_firmware import firmware

HERE = Path(__file__).parent
FACTS: dict[str, dict[str, Any]] = json.loads((HERE / "pn5180_facts.json").read_text())
LOGS: list[dict[str, Any]] = json.loads((HERE / "pn5180_logs.json").read_text())["logs"]
MICROSECONDS = 1 / 13.56
"""Of one cycle of the carrier."""


def numbers(table: str) -> dict[str, int]:
    return {name: value for name, value in FACTS[table].items() if isinstance(value, int)}


def test_every_number_of_the_driver_is_the_data_sheets() -> None:
    driver, inventory = firmware("pn5180"), firmware("iso15693")
    for table in ("commands", "rf_on", "registers", "eeprom"):
        for name, value in numbers(table).items():
            if name != "version":
                assert getattr(driver, name) == value, name
    bits = numbers("irq_bits")
    for name in set(bits) - {"RFON_DET_IRQ", "highest"}:
        assert getattr(driver, name) == 1 << bits[name], name
    assert bits["highest"] + 1 == driver.IRQ_BITS
    assert (1 << bits["highest"] + 1) - 1 == driver.EVERY_IRQ
    rx, rf, tx = FACTS["rx_status"], FACTS["rf_status"], FACTS["tx_config"]
    assert rx["bytes_mask"] == driver.RX_BYTES
    for name in ("RX_INTEGRITY", "RX_PROTOCOL", "RX_COLLISION"):
        assert getattr(driver, name) == 1 << rx[name]
    assert (1 << rf["external_field"], 1 << rf["own_field"]) == (driver.RF_DET_STATUS, driver.TX_RF_STATUS)
    assert (rf["state"], rf["state_mask"]) == (driver.STATE_SHIFT, driver.STATE_MASK)
    assert rf["states"]["WAIT_TRANSMIT"] == driver.WAIT_TRANSMIT
    assert FACTS["system_config"]["TRANSCEIVE"] == driver.TRANSCEIVE
    assert 0xFFFFFFFF ^ FACTS["system_config"]["mask"] == driver.IDLE_MASK
    assert 0xFFFFFFFF ^ (1 << tx["data_enable"] | tx["start_symbol_mask"]) == driver.EOF_MASK
    assert driver.EOF_MASK & tx["stop_symbol_mask"] == tx["stop_symbol_mask"]
    assert 1 << tx["data_enable"] == driver.TX_DATA_ENABLE
    assert 1 << FACTS["crc_config"]["enable"] == driver.CRC_ENABLE
    assert (FACTS["rf_config"]["tx"], FACTS["rf_config"]["rx"]) == driver.ISO15693_ASK100
    for name, value in numbers("iso15693_flags").items():
        assert getattr(inventory, name) == value, name


def test_every_number_of_the_simulated_chip_is_the_data_sheets() -> None:
    sim = pn5180_sim
    for table in ("commands", "rf_on"):
        for name, value in numbers(table).items():
            assert getattr(sim, name) == value, name
    own = {"CRC_RX_CONFIG": "CRC_RX", "CRC_TX_CONFIG": "CRC_TX"}
    for name, value in numbers("registers").items():
        assert getattr(sim, own.get(name, name)) == value, name
    own = {"RX_IRQ": "RX", "TX_IRQ": "TX", "RFON_DET_IRQ": "RFON_DET", "TX_RFOFF_IRQ": "RFOFF", "TX_RFON_IRQ": "RFON"}
    own |= {"RF_ACTIVE_ERROR_IRQ": "RF_ACTIVE_ERROR", "RX_SOF_IRQ": "SOF"}
    own |= {"TEMPSENS_IRQ": "TEMPSENS", "GENERAL_ERROR_IRQ": "GENERAL"}
    for name, bit in numbers("irq_bits").items():
        if name != "highest":
            assert getattr(sim, own.get(name, name)) == 1 << bit, name
    rx, rf = FACTS["rx_status"], FACTS["rf_status"]
    assert [1 << rx[f"RX_{name}"] for name in ("INTEGRITY", "PROTOCOL", "COLLISION")] == [
        sim.INTEGRITY,
        sim.PROTOCOL,
        sim.COLLISION,
    ]
    assert rx["collision_position"] == sim.COLL_POS
    assert (1 << rf["external_field"], 1 << rf["own_field"], rf["state"]) == (sim.RF_DET, sim.TX_RF, sim.STATE)
    assert {name: getattr(sim, f"S_{name}") for name in rf["states"]} == rf["states"]
    tx = FACTS["tx_config"]
    assert sim.ISO15693_TX_CONFIG & 1 << tx["data_enable"]
    assert sim.ISO15693_TX_CONFIG & tx["start_symbol_mask"]
    assert sim.ISO15693_TX_CONFIG & tx["stop_symbol_mask"]


def test_the_tags_times_are_the_standards() -> None:
    cycles = numbers("iso15693_cycles")
    for ours, name in (
        (iso15693_sim.BYTE_OUT_US, "byte_out"),
        (iso15693_sim.SOF_OUT_US, "sof_out"),
        (iso15693_sim.EOF_OUT_US, "eof_out"),
        (iso15693_sim.BYTE_IN_US, "byte_in"),
        (iso15693_sim.SOF_IN_US, "sof_in"),
        (iso15693_sim.EOF_IN_US, "eof_in"),
        (iso15693_sim.T2_US, "t2_least"),
    ):
        assert ours == pytest.approx(cycles[name] * MICROSECONDS, abs=0.5), name
    assert cycles["t1_least"] * MICROSECONDS <= iso15693_sim.T1_US <= cycles["t1_most"] * MICROSECONDS


def test_the_driver_waits_as_long_as_the_slowest_tag_may_take() -> None:
    cycles, inventory = numbers("iso15693_cycles"), firmware("iso15693")
    begins = (cycles["t1_most"] + cycles["sof_in"]) * MICROSECONDS
    ends = begins + (12 * cycles["byte_in"] + cycles["eof_in"]) * MICROSECONDS
    assert begins < inventory.ANSWER_STARTS
    assert ends < inventory.ANSWER_LASTS
    assert ends + cycles["t2_least"] * MICROSECONDS < inventory.ANSWER_OVER
    assert cycles["t2_least"] * MICROSECONDS < inventory.BETWEEN


class LoggedChip:
    """A chip that says what a log says, whoever asks: SPI, pins and clock in one."""

    def __init__(self, answers: dict[bytes, bytes]) -> None:
        self.answers = answers
        self.asked = b""
        self.now = 0
        self.level = 0

    def write(self, data: bytes) -> None:
        self.asked = bytes(data)
        self.level = 1

    def readinto(self, buffer: bytearray, _fill: int) -> None:
        buffer[:] = self.answers[self.asked]
        self.level = 1

    def cs(self, level: int) -> None:
        self.level = 0 if level else self.level

    def busy(self) -> int:
        return self.level

    def ticks(self) -> int:
        self.now += 10
        return self.now

    def elapsed(self, since: int) -> int:
        self.now += 10
        return self.now - since

    def wait_us(self, count: int) -> None:
        self.now += count


def steps(log: dict[str, Any], part: str) -> list[tuple[bytes, bytes]]:
    return [(bytes.fromhex(asked), bytes.fromhex(said)) for asked, said in log.get(part, [])]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log["name"].replace(" ", "_"))
def test_the_simulated_chip_says_what_the_real_one_said(log: dict[str, Any]) -> None:
    clock = SimClock()
    chip = PN5180Sim(clock)
    if "eeprom" in log:
        chip.eeprom[0x10:0x16] = bytes.fromhex(log["eeprom"])
    if "tag" in log:
        chip.field.tags = [Tag(bytes.fromhex(log["tag"]))]
    clock.now += 5000
    for asked, said in [*steps(log, "before"), *steps(log, "steps")]:
        chip.cs(0)
        chip.spi_write(asked)
        chip.cs(1)
        clock.now += 10_000  # those libraries wait so long after sending
        if said:
            answer = bytearray(len(said))
            chip.cs(0)
            chip.spi_readinto(answer)
            chip.cs(1)
            assert bytes(answer) == said, asked.hex()
            clock.now += 100
    assert chip.faults == []


@pytest.mark.parametrize("log", [log for log in LOGS if "before" in log], ids=lambda log: log["name"].replace(" ", "_"))
def test_the_driver_reads_from_a_real_chips_answers_what_lay_there(log: dict[str, Any]) -> None:
    driver, inventory = firmware("pn5180"), firmware("iso15693")
    said = dict(steps(log, "steps")) | {bytes((driver.READ, driver.RF_STATUS)): b"\x00\x00\x02\x01"}
    chip = LoggedChip(said)
    reader = driver.PN5180(chip, chip.cs, chip.busy, lambda _level: None, chip)
    found = inventory.Inventory(reader).resolve(0, 0)
    assert found == ({bytes.fromhex(log["tag"])} if "tag" in log else set())


@pytest.mark.parametrize("transfer_us", [0, 150])
def test_no_scan_lasts_longer_than_300_ms_whatever_the_chip_does(transfer_us: int) -> None:
    rows = scan_times.measure(transfer_us, seeds=2)
    assert {row.case for row in rows} >= set(scan_times.FAULTS)
    assert max(max(row.times) for row in rows) <= 300
