# Runs under MicroPython and under CPython: the whole firmware for real pins against simulated chips. As check_chips.py.
import json
import sys

UID = [bytes((0xE0, 4, 1, n, 0x31, 7, 0x55, n * 17 & 255)) for n in range(16)]


def equal(found, wanted):
    if found != wanted:
        raise AssertionError("%r instead of %r" % (found, wanted))


class Rig:
    """A board on simulated chips; ``got`` has what it reported: (seconds, kind:name, message, values)."""

    def __init__(self, which, calibration=None, **changes):
        from board_real import RealBoard
        from chips_sim import SimHardware
        from codec import load

        with open(NODE + "/pins.json") as stream:
            wiring = json.load(stream)["boards"][which]
        sensors = [["coil", zone] for zone in wiring["coils"]]
        sensors += [["scale", zone] for zone in wiring["cells"]] + [["shield", seat] for seat in wiring["tilts"]]
        raw = [name.split(":", 1) for group in wiring["inputs"] for name in group["sensors"]]
        sensors += [pair for pair in raw if pair[0] not in ("edge", "place")]
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
    equal(rig.hardware.reader.faults, [])


def close(rig, sensor, closed=True):
    for group in rig.board.inputs:
        if sensor in group.sensors:
            bit = 1 << group.sensors.index(sensor)
            chip = [chip for chip in rig.hardware.chips.values() if chip.__class__.__name__ == "MCP23017Sim"]
            chip = chip[rig.board.inputs.index(group)]
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
    equal(rig.hardware.reader.faults, [])


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
    rig = Rig("seats")
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
    rig.hardware.reader.broken = "stuck"
    rig.run(1.5)
    told = [(message, values[0]) for _, name, message, values in rig.got if name == "coil:discard"]
    equal(told, [("trouble", 1)])  # and no empty answer: who lay there is not known to have gone
    rig.hardware.reader.broken = None
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
    rig.hardware.reader.jam = "integrity"
    rig.run(6.0)
    # nobody is told to have gone, and after two seconds that something there cannot be read
    equal([message for _, _, message, _ in rig.got if message == "tags"], [])
    equal(rig.of("coil:discard"), [(1, "something answers here that cannot be read")])
    rig.hardware.reader.jam = None
    rig.hardware.over("discard", [])
    rig.run(2.0)
    equal(rig.of("coil:discard")[1:], [(0, ""), ((),)])


def check_a_reader_that_fails_says_how_and_reads_on_when_it_can():
    from iso15693_sim import Tag

    rig = Rig("gates")
    rig.hardware.over("discard", [Tag(UID[1])])
    rig.run(1.0)
    rig.got.clear()
    chip = rig.hardware.reader
    chip.forget()
    rig.run(0.5)
    told = [values for values in rig.of("coil:gate-N") + rig.of("coil:discard") if values[0] == 1]
    equal(told[0], (1, "the PN5180 has forgotten its settings (a reset?)"))
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
    rig.hardware.reader.jam = "collision"
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


def check_a_scale_settles_on_the_weight_of_a_card():
    rig = Rig("seats", {"scale:stock": {"zero": 1000, "counts_per_kg": 400000}})
    cell = rig.hardware.cells["stock"]
    cell.counts = 1000 + 30240  # 75.6 g
    rig.run(2.0)
    rig.got.clear()
    cell.counts = 1000 + 29520
    rig.run(1.5)
    told = rig.of("scale:stock")
    equal(told[-1], (73800, 1))
    if len(told) < 10 or told[0][1]:
        raise AssertionError("%r" % told)
    equal(cell.faults, [])


def check_a_load_cell_that_dies_in_the_middle_of_a_deal_is_told_and_weighs_nothing():
    rig = Rig("seats")
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


def check_buttons_contacts_and_knocks_are_told():
    rig = Rig("seats", {"knock": {"milli_g_per_volt": 1500}})
    rig.run(0.5)
    rig.got.clear()
    for sensor in ("button:W:referee", "screen:aperture", "tray:SW"):
        close(rig, sensor)
    rig.hardware.chips["near", 72].millivolts = [0, 0, 800, 0]
    rig.run(0.03)
    rig.hardware.chips["near", 72].millivolts = [0, 0, 0, 0]
    rig.run(0.3)
    equal(rig.of("button:W:referee"), [()])
    equal(rig.of("screen:aperture"), [(1,)])
    equal(rig.of("tray:SW"), [(1,)])
    equal(rig.of("knock:S"), [(1200,)])


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


def main(node, twin, schema):
    global NODE, SCHEMA
    NODE, SCHEMA = node, schema
    sys.path[:0] = [node, twin]
    for name in sorted(globals()):
        if name.startswith("check_"):
            try:
                globals()[name]()
            except Exception as error:  # noqa: BLE001
                sys.print_exception(error) if hasattr(sys, "print_exception") else None
                print(name[6:], "%s: %s" % (type(error).__name__, str(error)[:300]))
            else:
                print(name[6:], "ok")


if len(sys.argv) > 3:
    main(*sys.argv[1:4])
