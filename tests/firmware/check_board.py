# Runs under MicroPython and under CPython: the whole firmware for real pins against simulated chips. As check_chips.py.
import json
import sys

UID = [bytes((0xE0, 4, 1, n, 0x31, 7, 0x55, n * 17 & 255)) for n in range(16)]


def equal(found, wanted):
    if found != wanted:
        raise AssertionError("%r instead of %r" % (found, wanted))


def boards():
    with open(NODE + "/pins.json") as stream:
        return json.load(stream)["boards"]


def board_with(sensor):
    """The board at whose expander ``sensor`` hangs, on a pin that can be an input."""
    for name, wiring in boards().items():
        for group in wiring["inputs"]:
            if sensor in group["sensors"] and group["sensors"].index(sensor) not in (7, 15):
                return name
    raise KeyError(sensor)


class Rig:
    """A board on simulated chips; ``got`` has what it reported: (seconds, kind:name, message, values)."""

    def __init__(self, which, calibration=None, rewire=None, **changes):
        from board_real import RealBoard
        from chips_sim import SimHardware
        from codec import load

        wiring = self.wiring = boards()[which]
        if rewire is not None:
            rewire(wiring)
        else:
            for group in wiring["inputs"]:  # nothing hangs at GPA7 and GPB7: that is tried by itself
                group["sensors"] = [None if bit in (7, 15) else name for bit, name in enumerate(group["sensors"])]
        sensors = [["coil", zone] for zone in wiring["coils"]]
        sensors += [["scale", zone] for zone in wiring["cells"]] + [["shield", seat] for seat in wiring["tilts"]]
        raw = [name.split(":", 1) for group in wiring["inputs"] for name in group["sensors"] if name]
        sensors += [pair for pair in raw if pair[0] not in ("edge", "place", "supply")]
        places = [name for kind, name in raw if kind == "place"]
        if places:
            sensors += [["beam", seat + ":" + place] for seat in "NESW-" for place in places + ["table"]]
        sensors += [["knock", seat] for seat in (wiring["knocks"] or {"seats": []})["seats"]]
        self.sensors = sensors
        self.hardware = SimHardware(wiring)
        config = {"board": which, "name": which, "sensors": sensors, "quiet": False, "inverted": []}
        config["calibration"] = calibration or {}
        config.update(changes)
        self.got = []
        self.board = RealBoard(config, load(SCHEMA), wiring, self.hardware)
        self.board.node.link.send = self.send

    def send(self, message, values, micros):
        if not values or message == "snapshot_begin":
            return
        name = "node" if values[0] == 255 else ":".join(self.sensors[values[0]])
        self.got.append((micros / 1000000, name, message, values[1:]))

    def run(self, seconds):
        end = self.hardware.clock.now + int(seconds * 1000000)
        while self.hardware.clock.now < end:
            wait = self.board.step()
            self.hardware.wait_us(wait * 1000 or 50)

    def of(self, name):
        return [values for _, sensor, _, values in self.got if sensor == name]

    def at(self, name):
        return [t for t, sensor, _, _ in self.got if sensor == name]


def check_a_gate_is_scanned_fast_where_a_beam_was_broken_and_slowly_elsewhere():
    rig = Rig("gates")
    rig.run(1.0)
    scans = count_scans(rig, 2.0)
    quiet = [scans[zone] for zone in sorted(scans)]
    if max(quiet) - min(quiet) > 2 or min(quiet) < 8:
        raise AssertionError("asleep: %r" % scans)
    close(rig, "edge:E")
    rig.run(0.1)
    close(rig, "place:stock")
    scans = count_scans(rig, 1.5)
    near = [scans[zone] for zone in ("gate-E", "gate-stock")]
    far = [scans[zone] for zone in ("gate-N", "gate-S", "gate-W", "discard")]
    if min(near) < 4 * max(far) or min(far) < 1:
        raise AssertionError("awake: %r" % scans)
    equal(rig.hardware.reader_faults, [])


def close(rig, sensor, closed=True):
    """A contact closes, or an arm breaks a barrier (a receiver that sees no light opens where it is closed at rest)."""
    for at, group in zip(rig.wiring["inputs"], rig.board.switches.groups):
        if sensor in at["sensors"]:
            bit = 1 << at["sensors"].index(sensor)
            chip = rig.hardware.chips[at["bus"], at["address"]]
            if at.get("closed_at_rest") and sensor.split(":")[0] in ("edge", "place"):
                closed = not closed
            chip.closed = chip.closed | bit if closed else chip.closed & ~bit
            return
    raise KeyError(sensor)


def count_scans(rig, seconds):
    counts = {zone: 0 for zone in rig.hardware.tags}
    antennas = rig.board.antennas
    scan = antennas.scan

    def counted(zone):
        counts[zone] += 1
        return scan(zone)

    antennas.scan = counted
    rig.run(seconds)
    antennas.scan = scan
    return counts


def check_a_card_over_a_gate_is_told_with_its_moment_and_at_no_other_gate():
    from iso15693_sim import Tag

    rig = Rig("gates")
    rig.run(0.5)
    close(rig, "edge:S")
    rig.run(0.2)
    laid = rig.hardware.clock.now / 1000000
    rig.hardware.over("gate-S", [Tag(UID[4])])
    rig.run(0.4)
    rig.hardware.over("gate-S", [])
    rig.run(0.4)
    equal(rig.of("coil:gate-S"), [((UID[4],),), ((),)])
    if not 0 <= rig.at("coil:gate-S")[0] - laid <= 0.16:
        raise AssertionError("told %f s after it was laid" % (rig.at("coil:gate-S")[0] - laid))
    equal([name for _, name, message, _ in rig.got if message == "tags"], ["coil:gate-S"] * 2)
    equal(rig.hardware.reader_faults, [])


def check_a_beam_broken_while_the_reader_listens_is_told_at_its_moment():
    rig = Rig("gates")
    rig.run(0.3)
    for turn in range(12):
        rig.run(0.1 + turn * 0.0017)
        broken = rig.hardware.clock.now / 1000000
        close(rig, "edge:N")
        close(rig, "place:discard")
        rig.run(0.06)
        close(rig, "edge:N", False)
        close(rig, "place:discard", False)
        rig.run(0.06)
        late = rig.at("beam:N:discard")[-2] - broken
        if not 0 <= late <= 0.004:
            raise AssertionError("%f s late" % late)
    equal(rig.of("beam:N:discard"), [(1,), (0,)] * 12)


def check_a_contact_that_chatters_is_told_once():
    rig = Rig(board_with("tray:NE"))
    rig.run(0.3)
    rig.got.clear()
    for closed in (True, False, True, False, True):
        close(rig, "tray:NE", closed)
        rig.run(0.002)
    rig.run(0.3)
    equal(rig.of("tray:NE"), [(1,)])


def check_a_receiver_that_is_closed_at_rest_can_be_inverted():
    rig = Rig("gates", inverted=["place:stock"])
    equal(rig.board.level("beam", "-:stock"), 1)
    close(rig, "place:stock")
    rig.run(0.3)
    equal(rig.of("beam:-:stock"), [(0,)])


def check_a_reader_that_dies_is_told_and_so_is_its_return():
    from iso15693_sim import Tag

    rig = Rig("gates")
    rig.hardware.over("discard", [Tag(UID[1])])
    rig.run(1.0)
    rig.got.clear()
    rig.hardware.readers["discard"].broken = "stuck"
    rig.run(1.5)
    told = [(message, values[0]) for _, name, message, values in rig.got if name == "coil:discard"]
    equal(told, [("trouble", 1)])  # and no empty answer: who lay there is not known to have gone
    rig.hardware.readers["discard"].broken = None
    rig.run(4.0)
    equal(rig.of("coil:discard")[-1], (0, ""))
    equal(len([1 for _, _, message, _ in rig.got if message == "tags"]), 0)


def check_who_was_there_stays_while_something_there_cannot_be_read():
    from iso15693_sim import Tag

    rig = Rig("gates")
    rig.hardware.over("discard", [Tag(UID[1])])
    rig.run(1.0)
    equal(rig.of("coil:discard"), [((UID[1],),)])
    rig.got.clear()
    rig.hardware.readers["discard"].jam = "integrity"
    rig.run(6.0)
    # nobody is told to have gone, and after two seconds that something there cannot be read
    equal([message for _, _, message, _ in rig.got if message == "tags"], [])
    equal(rig.of("coil:discard"), [(1, "something answers here that cannot be read")])
    rig.hardware.readers["discard"].jam = None
    rig.hardware.over("discard", [])
    rig.run(2.0)
    equal(rig.of("coil:discard")[1:], [(0, ""), ((),)])


def check_a_snapshot_does_not_call_empty_what_cannot_be_read():
    rig = Rig("gates", None, alone)
    rig.hardware.readers["discard"].jam = "integrity"
    rig.hardware.readers["gate-N"].broken = "stuck"
    rig.run(1.0)
    rig.got.clear()
    rig.board.node.snapshot()
    told = [name for _, name, message, _ in rig.got if message == "tags"]
    equal(told, ["coil:gate-E", "coil:gate-S", "coil:gate-W", "coil:gate-stock"])
    rig.got.clear()
    rig.hardware.readers["discard"].jam = None
    rig.hardware.readers["gate-N"].broken = None
    rig.run(4.0)
    # as soon as it is known, and though nothing has changed
    equal(
        sorted((name, values) for _, name, message, values in rig.got if message == "tags"),
        [("coil:discard", ((),)), ("coil:gate-N", ((),))],
    )


def check_a_reader_that_fails_says_how_and_reads_on_when_it_can():
    from iso15693_sim import Tag

    rig = Rig("gates")
    rig.hardware.over("discard", [Tag(UID[1])])
    rig.run(1.0)
    rig.got.clear()
    chip = rig.hardware.readers["discard"]
    chip.forget()
    rig.run(0.5)
    told = [values for values in rig.of("coil:gate-N") + rig.of("coil:discard") if values[0] == 1]
    equal(told[0], (1, "the PN5180 has forgotten register 18h (a reset?)"))
    rig.run(0.5)
    rig.got.clear()
    rig.hardware.over("discard", [])
    rig.run(0.5)
    equal(rig.of("coil:discard"), [((),)])
    chip.overheat()
    rig.run(0.5)
    equal(rig.of("coil:discard")[-1], (1, "the PN5180 is too hot: its field is off"))
    chip.hot = False
    rig.run(11.0)
    equal(rig.of("coil:discard")[-1], (0, ""))


def check_the_link_speaks_on_while_every_scan_takes_as_long_as_it_may():
    rig = Rig("gates")
    rig.run(0.5)
    for reader in rig.hardware.readers.values():
        reader.jam = "collision"
    turns = []
    end = rig.hardware.clock.now + 6000000
    while rig.hardware.clock.now < end:
        before = rig.hardware.clock.now
        wait = rig.board.step()
        turns.append(rig.hardware.clock.now - before)
        rig.hardware.wait_us(wait * 1000 or 50)
    if max(turns) > 300000:
        raise AssertionError("one turn of the main loop took %d us" % max(turns))
    began = rig.hardware.clock.now
    rig.board.node.snapshot()  # what a host asks for at its first word and after a gap: no scan is begun for it
    if rig.hardware.clock.now - began > 300000:
        raise AssertionError("a snapshot took %d us" % (rig.hardware.clock.now - began))


CALIBRATED = {"zero": 1000, "counts_per_kg": 3000000}
SCALES = {"scale:" + zone: CALIBRATED for zone in ("stock", "discard", "pots")}


def near(found, wanted, most=15):
    if abs(found - wanted) > most:
        raise AssertionError("%r instead of %r" % (found, wanted))


def check_a_scale_settles_on_the_weight_of_a_card():
    rig = Rig("seats", SCALES)
    cell = rig.hardware.cells["stock"]
    cell.counts = 1000 + 226800  # 75.6 g
    rig.run(2.0)
    rig.got.clear()
    cell.counts = 1000 + 221400
    rig.run(1.5)
    told = rig.of("scale:stock")
    near(told[-1][0], 73800)
    equal(told[-1][1], 1)
    if len(told) < 10 or told[0][1]:
        raise AssertionError("%r" % told)
    equal(cell.faults, [])


def check_a_load_cell_that_dies_in_the_middle_of_a_deal_is_told_and_weighs_nothing():
    rig = Rig("seats", SCALES)
    rig.run(1.0)
    rig.got.clear()
    rig.hardware.cells["discard"].dead = True
    rig.run(6.0)
    equal([values[0] for values in rig.of("scale:discard")], [1])
    rig.hardware.cells["discard"].dead = False
    rig.run(1.0)
    equal(rig.of("scale:discard")[1], (0, ""))
    if len(rig.of("scale:discard")) < 5:
        raise AssertionError("its weight is not told anew")


def check_a_scale_that_cannot_know_says_why_and_never_zero_grams():
    def miss(level):
        def apply(cell):
            cell.missing = level

        return apply

    def out_of_range(cell):
        cell.counts = 0x7FFFFF

    def freeze(cell):
        cell.frozen = True

    # a converter that is missing is no weight of 0, whatever its line reads
    for spoil, said in (
        (miss(0), "no converter: its data line stays low"),
        (miss(1), "the load cell does not answer"),
        (out_of_range, "the load cell is out of range (a torn wire?)"),
        (freeze, "the converter gives the same again and again"),
    ):
        for before in (0.0, 2.0):  # from the start, and in the middle of a deal
            rig = Rig("seats", SCALES)
            rig.run(before)
            rig.got.clear()
            spoil(rig.hardware.cells["pots"])
            rig.run(4.0)
            equal(rig.of("scale:pots")[-1], (1, said))
            after = [values for t, name, message, values in rig.got if name == "scale:pots" and message == "scale"]
            if before == 0.0 and spoil is not freeze:
                equal(after, [])
            equal(rig.of("scale:stock")[-1][1] in (0, 1), True)


def check_a_scale_that_was_never_calibrated_says_so_and_weighs_nothing():
    rig = Rig("seats", {"scale:stock": CALIBRATED, "scale:pots": {"zero": 1000}})
    rig.run(3.0)
    equal(rig.of("scale:discard"), [(1, "the scale is not calibrated")])
    equal(rig.of("scale:pots"), [(1, "the scale is not calibrated")])
    if len(rig.of("scale:stock")) < 5:
        raise AssertionError("the calibrated one is silent")


def check_a_converter_at_ten_readings_a_second_weighs_and_is_told():
    rig = Rig("seats", SCALES)
    rig.hardware.cells["stock"].rate = 10
    rig.run(5.0)
    told = [values for _, name, message, values in rig.got if name == "scale:stock" and message == "trouble"]
    equal(told, [(1, "too few conversions a second (the jumper RATE?)")])
    near([values for _, name, message, values in rig.got if message == "scale" and name == "scale:stock"][-1][0], -333)
    rig.hardware.cells["stock"].rate = 80
    rig.run(5.0)
    told = [values for _, name, message, values in rig.got if name == "scale:stock" and message == "trouble"]
    equal(told[-1], (0, ""))


def check_a_shield_turned_over_is_told_after_it_has_stayed_so():
    rig = Rig("seats", {"shield:E": {"up": [0, -980, 170]}})
    shield = rig.hardware.chips["near", 25]
    shield.gravity = (0, -980, 170)
    rig.run(1.0)
    rig.got.clear()
    shield.gravity = (300, -500, 800)  # tipped for a moment
    rig.run(0.08)
    shield.gravity = (0, -980, 170)
    rig.run(0.5)
    equal(rig.of("shield:E"), [])
    shield.gravity = (0, 170, 980)
    rig.run(0.5)
    equal(rig.of("shield:E"), [(0,)])
    shield.gravity = (0, -700, 700)  # half way: neither
    rig.run(0.5)
    shield.gravity = (0, -2000, 900)  # shaken
    rig.run(0.5)
    equal(rig.of("shield:E"), [(0,)])
    shield.gravity = (10, -990, 120)
    rig.run(0.5)
    equal(rig.of("shield:E"), [(0,), (1,)])


def check_other_shields_speak_on_while_one_does_not_answer():
    rig = Rig("seats")
    rig.run(0.5)
    rig.got.clear()
    rig.hardware.chips["far", 24].dead = True
    rig.hardware.chips["far", 25].gravity = (1000, 0, 0)
    rig.run(0.5)
    equal(rig.of("shield:W"), [(0,)])
    equal([values[0] for values in rig.of("shield:S")], [1])
    rig.hardware.chips["far", 24].dead = False
    rig.run(0.5)
    equal(rig.of("shield:S")[-1], (0, ""))


def check_buttons_and_contacts_are_told():
    for sensor, told in (("button:W:referee", [()]), ("screen:panel", [(1,)]), ("tray:NE", [(1,)])):
        rig = Rig(board_with(sensor))
        rig.run(0.5)
        rig.got.clear()
        close(rig, sensor)
        rig.run(0.3)
        equal(rig.of(sensor), told)


def check_a_knock_is_told_once_through_a_peak_that_is_held_and_mostly_missed_without():
    for hold_us, least, most in ((26000, 40, 40), (32000, 40, 40), (39000, 40, 40), (0, 1, 15)):
        rig = Rig("seats", {"knock": {"milli_g_per_volt": 1500}})
        converter = rig.hardware.chips["near", 72]
        converter.hold_us = hold_us
        rig.run(0.5)
        rig.got.clear()
        for blow in range(40):
            converter.strike(2, 800)
            rig.run(0.25 + blow * 0.0013)  # at every phase of the round of four
        told = rig.of("knock:S")
        if not least <= len(told) <= most:
            raise AssertionError("%d of 40 blows are told where a peak is held for %d us" % (len(told), hold_us))
        if hold_us and min(told)[0] < 600:
            raise AssertionError("of a peak of 1200 only %r was seen" % (min(told),))
        equal(rig.of("knock:N"), [])


def check_a_converter_of_knocks_that_forgets_is_told_and_set_anew():
    rig = Rig("seats")
    rig.run(0.5)
    rig.got.clear()
    converter = rig.hardware.chips["near", 72]
    begin = converter.write
    converter.write = lambda register, data: None  # it takes nothing any more
    converter.forget()
    rig.run(1.5)
    equal(rig.of("knock:E"), [(1, "the converter has forgotten its settings")])
    converter.write = begin
    rig.run(2.5)
    equal(rig.of("knock:E")[-1], (0, ""))


def check_a_hall_switch_of_twenty_hertz_is_told_within_its_fifty_milliseconds():
    for period, most in ((50000, 0.06), (200000, 0.21)):
        rig = Rig(board_with("tray:NE"))
        rig.run(0.5)
        rig.got.clear()
        for at, group in zip(rig.wiring["inputs"], rig.board.switches.groups):
            if "tray:NE" in at["sensors"]:
                rig.hardware.chips[at["bus"], at["address"]].hall = {at["sensors"].index("tray:NE"): period}
        worst = 0
        for turn in range(10):
            rig.run(0.3 + turn * 0.007)
            laid = rig.hardware.clock.now / 1000000
            close(rig, "tray:NE", turn % 2 == 0)
            rig.run(0.4)
            equal(len(rig.of("tray:NE")), turn + 1)
            worst = max(worst, rig.at("tray:NE")[-1] - laid)
        if not most / 3 < worst < most:
            raise AssertionError("at %d us it took %f s" % (period, worst))


def check_an_expander_that_forgets_its_settings_is_told_and_set_anew():
    for sensor in ("button:N:ready", "edge:N"):
        which = board_with(sensor)
        rig = Rig(which)
        rig.run(0.5)
        rig.got.clear()
        for (bus, address), chip in rig.hardware.chips.items():
            if address == 32:
                chip.forget()
        rig.run(3.5)
        told = [values[0] for values in rig.of("node")]
        equal(told, [1, 0])
        # inputs without pull-ups wavered meanwhile: nobody pressed and nobody reached
        equal([name for _, name, message, _ in rig.got if message in ("press", "level")], [])
        equal("has forgotten its settings" in rig.of("node")[0][1], True)
        rig.got.clear()
        close(rig, sensor)
        rig.run(0.6)
        if sensor.startswith("button"):
            equal(rig.of(sensor), [()])
        else:
            equal(rig.of("beam:N:table"), [(1,)])


def check_pins_that_are_outputs_only_are_refused_as_inputs_and_told():
    from inputs import MCP23017

    try:
        MCP23017(None, 32, 0xFFFF)
    except ValueError as error:
        equal("outputs only" in str(error), True)
    else:
        raise AssertionError("GPA7 was taken as an input")

    def rewire(wiring):
        wiring["inputs"][0]["sensors"] = (
            ["button:N:ready"] + [None] * 6 + ["button:E:ready"] + [None] * 7 + ["button:S:ready"]
        )

    rig = Rig("seats", None, rewire)
    snapshot = sorted(rig.board.node.troubles.items())
    equal([what for _, what in snapshot], ["is wired to a pin that is an output only"] * 2)
    chip = rig.hardware.chips["near", 32]
    rig.run(0.3)
    equal(chip.registers[0:2], b"\x7f\x7f")
    chip.closed = 0x8081
    rig.run(0.3)
    equal(rig.of("button:N:ready"), [()])
    equal([name for _, name, message, _ in rig.got if message == "press"], ["button:N:ready"])


def check_a_bus_that_a_chip_holds_is_clocked_free_and_everybody_speaks_on():
    rig = Rig("seats", SCALES)
    rig.run(1.0)
    rig.got.clear()
    bus = rig.hardware._buses["i2c", 0]
    bus.stuck = 7
    close(rig, "button:W:referee")
    rig.run(1.5)
    equal(rig.of("button:W:referee"), [()])
    equal(rig.board.made["near"].freed, 1)
    equal([values for values in rig.of("node") if "bus" in values[1]], [])


def check_a_bus_that_stays_held_is_told_and_leaves_the_other_bus_and_the_scales_alone():
    rig = Rig("seats", SCALES)
    rig.run(1.0)
    rig.got.clear()
    rig.hardware._buses["i2c", 1].stuck = -1  # a shield's cable is squeezed
    close(rig, "button:W:referee")
    rig.hardware.chips["near", 25].gravity = (1000, 0, 0)
    rig.hardware.cells["stock"].counts = 222400
    rig.run(2.5)
    equal(rig.of("node")[-1], (1, "bus far: the data line is held down"))
    equal([rig.of("shield:" + seat)[-1][0] for seat in "SW"], [1, 1])
    equal(rig.of("shield:E"), [(0,)])
    equal(rig.of("button:W:referee"), [()])
    near(rig.of("scale:stock")[-1][0], 73800)
    rig.hardware._buses["i2c", 1].stuck = 0
    rig.run(2.5)
    equal(rig.of("node")[-1], (0, ""))
    equal(rig.of("shield:S")[-1], (0, ""))


def check_an_accelerometer_that_measures_nothing_or_always_the_same_is_told():
    rig = Rig("seats")
    rig.run(0.5)
    rig.got.clear()
    shield = rig.hardware.chips["near", 24]
    shield.forget()  # it sleeps, and answers
    rig.run(1.0)
    equal(rig.of("shield:N"), [(1, "the accelerometer measures nothing"), (0, "")])
    shield.frozen = True
    rig.run(6.0)
    equal(rig.of("shield:N")[-1], (1, "the accelerometer gives the same again and again"))
    shield.frozen = False
    rig.run(1.0)
    equal(rig.of("shield:N")[-1], (0, ""))


def check_barriers_that_are_all_dark_at_once_are_a_supply_that_is_gone_and_no_reaches():
    rig = Rig("gates")
    rig.run(0.5)
    close(rig, "edge:N")
    rig.run(0.2)
    rig.got.clear()
    names = [name for name in rig.wiring["inputs"][0]["sensors"] if name and name.split(":")[0] in ("edge", "place")]
    for sensor in names:
        close(rig, sensor)
    rig.run(0.6)
    equal(rig.of("node"), [(1, "all light barriers are dark")])
    equal([name for _, name, message, _ in rig.got if message == "level" and name != "beam:N:table"], [])
    for sensor in names:
        close(rig, sensor, False)
    rig.run(0.6)
    equal(rig.of("node")[-1], (0, ""))


def check_a_supply_that_an_input_tells_of_blinds_the_barriers():
    def rewire(wiring):
        wiring["inputs"][0]["sensors"] = ["edge:N", "edge:E", "place:stock", "supply:12V"]
        wiring["inputs"][0]["closed_at_rest"] = True

    rig = Rig("gates", None, rewire)
    rig.run(0.5)
    equal(rig.of("node"), [])
    close(rig, "edge:E")
    rig.run(0.6)
    equal(rig.of("beam:E:table"), [(1,)])
    close(rig, "edge:E", False)
    rig.run(0.6)
    rig.got.clear()
    close(rig, "supply:12V", False)
    close(rig, "edge:N")
    rig.run(0.6)
    equal(rig.of("node"), [(1, "12V is missing")])
    equal([name for _, name, message, _ in rig.got if message == "level"], [])
    close(rig, "supply:12V")
    close(rig, "edge:N", False)
    rig.run(0.6)
    equal(rig.of("node")[-1], (0, ""))


def check_a_barrier_that_stays_broken_is_told_and_a_resting_arm_is_not():
    rig = Rig("gates")
    rig.run(0.5)
    rig.got.clear()
    close(rig, "place:stock")
    close(rig, "edge:E")
    rig.run(0.1)
    rig.hardware.clock.now += 55000000
    rig.run(1.5)
    equal(rig.of("node"), [])
    rig.hardware.clock.now += 10000000
    rig.run(1.5)
    equal(rig.of("node"), [(1, "broken without end: place stock")])
    close(rig, "place:stock", False)
    rig.run(1.5)
    equal(rig.of("node")[-1], (0, ""))


def alone(wiring):
    """A reader at each coil, as the wiring will have it, where it has one for all."""
    if not wiring.get("reader_per_coil"):
        wiring["reader_per_coil"] = True
        wiring["pins"] = [pin for pin in wiring["pins"] if pin[0] != "reader.reset"]
        wiring["pins"] += [["reader.reset.%d" % at, 40 + at, ""] for at in range(len(wiring["coils"]))]


def check_one_reader_that_dies_leaves_the_others_reading():
    from iso15693_sim import Tag

    rig = Rig("gates", None, alone)
    rig.run(0.5)
    rig.got.clear()
    rig.hardware.readers["gate-E"].broken = "stuck"
    rig.hardware.over("discard", [Tag(UID[1])])
    rig.hardware.over("gate-N", [Tag(UID[2])])
    rig.run(3.0)
    equal(rig.of("coil:gate-E"), [(1, "the PN5180 keeps BUSY high")])
    equal(rig.of("coil:discard"), [((UID[1],),)])
    equal(rig.of("coil:gate-N"), [((UID[2],),)])
    rig.hardware.readers["gate-E"].broken = None
    rig.hardware.over("gate-E", [Tag(UID[3])])
    rig.run(4.0)
    equal(rig.of("coil:gate-E")[1:], [(0, ""), ((UID[3],),)])
    equal([fault for fault in rig.hardware.reader_faults if "BUSY" not in fault and "question" not in fault], [])


def check_an_expander_that_dies_is_told_once_and_comes_back():
    rig = Rig("seats")
    rig.run(0.5)
    rig.got.clear()
    rig.hardware.chips["near", 32].dead = True
    rig.run(1.5)
    equal(rig.of("node"), [(1, "the expander at 20h does not answer")])
    rig.hardware.millivolts = 4210
    rig.run(1.2)
    equal(rig.of("node")[-1], (1, "the expander at 20h does not answer; the supply has sunk to 4.2 V"[:60]))
    rig.hardware.millivolts = 4900
    rig.hardware.chips["near", 32].dead = False
    close(rig, "button:N:ready")
    rig.run(1.5)
    equal(rig.of("node")[-1], (0, ""))
    equal(rig.of("button:N:ready"), [()])


def check_lights_show_turn_and_alert_and_go_out_when_the_host_is_silent():
    rig = Rig("seats")
    pin = rig.board.pin
    rig.board.show(2, 5, 2)
    rig.run(0.01)
    level = rig.hardware.levels
    equal([level[pin["turn." + seat]] for seat in "NESW"], [0, 1, 0, 0])
    equal(rig.hardware.tone_hertz > 0, True)
    lit = []
    for _ in range(40):
        rig.run(0.025)
        lit.append(level[pin["alert.N"]])
        equal(level[pin["alert.N"]], level[pin["alert.S"]])
        equal(level[pin["alert.E"]], 0)
    if not 10 <= sum(lit) <= 30:
        raise AssertionError("alerts do not blink: %r" % lit)
    equal(rig.hardware.tone_hertz, 0)
    link = rig.board.node.link
    link.is_open = True
    link.heard = rig.board.wall_ms()
    rig.run(1.0)
    equal(level[pin["turn.E"]], 1)
    rig.run(1.0)
    equal([level[pin["turn." + seat]] + level[pin["alert." + seat]] for seat in "NESW"], [0, 0, 0, 0])


def check_a_supply_that_sinks_is_told_and_its_return_too():
    rig = Rig("seats")
    rig.hardware.millivolts = 4210
    rig.run(1.2)
    rig.hardware.millivolts = 4900
    rig.run(1.2)
    equal(rig.of("node"), [(1, "the supply has sunk to 4.2 V"), (0, "")])


def check_barriers_that_no_sensor_needs_are_not_there():
    few = [["beam", seat + ":table"] for seat in "NESW"] + [["coil", "gate-N"]]
    rig = Rig("gates", None, None, sensors=few)
    rig.sensors = few
    for sensor in rig.wiring["inputs"][0]["sensors"]:  # a receiver that is not there never conducts
        if sensor and sensor.startswith("place:"):
            close(rig, sensor)
    rig.run(0.5)
    rig.got.clear()
    close(rig, "edge:S")
    rig.run(0.7)
    equal(rig.of("beam:S:table"), [(1,)])
    rig.hardware.clock.now += 70000000
    rig.run(1.5)
    equal(rig.of("node"), [])


def main(node, twin, schema, *left_out):
    global NODE, SCHEMA
    NODE, SCHEMA = node, schema
    sys.path[:0] = [node, twin]
    for name in sorted(globals()):
        if name.startswith("check_") and name[6:] not in left_out:
            try:
                globals()[name]()
            except Exception as error:  # noqa: BLE001
                sys.print_exception(error) if hasattr(sys, "print_exception") else None
                print(name[6:], "%s: %s" % (type(error).__name__, str(error)[:300]))
            else:
                print(name[6:], "ok")


if len(sys.argv) > 3:
    main(*sys.argv[1:])
