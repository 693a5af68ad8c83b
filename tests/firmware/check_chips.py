# Runs under MicroPython and under CPython: drivers and other single parts of the firmware against simulated chips.
# Prints one line a check: "NAME ok", or "NAME" and what went wrong.  check_chips.py NODE_FOLDER TWIN_FOLDER SCHEMA
import json
import sys

UID = [bytes((0xE0, 4, 1, n, 0x31, 7, 0x55, n * 17 & 255)) for n in range(16)]


def equal(found, wanted):
    if found != wanted:
        raise AssertionError("%r instead of %r" % (found, wanted))


def chip_with(tags, budget=250000, **options):
    from iso15693 import Inventory
    from pn5180 import PN5180
    from pn5180_sim import PN5180Sim, SimBus, SimClock

    clock = SimClock()
    chip = PN5180Sim(clock, **options)
    chip.field.tags = tags
    reader = PN5180(SimBus([chip]), chip.cs, chip.busy, chip.reset, clock)
    equal(reader.start(), ((4, 0), (4, 0)))
    return chip, reader, Inventory(reader, None, budget)


class Dice:
    """Numbers from 0 to 1, the same under every interpreter."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return self.state / 0x80000000


def check_every_file_of_the_firmware_compiles():
    import os

    names = [name for name in os.listdir(NODE) if name.endswith(".py")]
    if "board_rp2.py" not in names:
        raise AssertionError("board_rp2.py is missing")
    for name in names:
        with open(NODE + "/" + name) as stream:
            compile(stream.read(), name, "exec")


def check_registers_and_eeprom_are_written_and_read():
    chip, reader, _ = chip_with([])
    reader.write(0x17, 0x12345678)
    reader.write_or(0x17, 0x80000001)
    reader.write_and(0x17, 0xFFFFFF0F)
    equal(reader.read(0x17), 0x92345609)
    reader.write_many(((0x17, 1, 5), (0x17, 2, 8), (0x17, 3, 12)))
    equal(reader.read(0x17), 12)
    reader.write_eeprom(0x50, b"\x01\x02")
    equal(reader.read_eeprom(0x50, 3), b"\x01\x02\x00")
    equal(chip.faults, [])


def check_every_number_of_tags_is_read_whole():
    from iso15693_sim import Tag

    for count in range(14):
        chip, _, inventory = chip_with([Tag(uid) for uid in UID[:count]])
        equal(inventory.scan(), UID[:count])
        equal(chip.faults, [])
        equal(inventory.tally.unresolved, 0)


def check_tags_that_differ_in_one_bit_at_either_end_are_told_apart():
    from iso15693_sim import Tag

    first = 0xE004015512345678
    for bit in list(range(0, 52, 3)) + [48, 49, 50, 51, 52, 53, 54, 55]:
        pair = sorted(number.to_bytes(8, "big") for number in (first, first ^ 1 << bit))
        chip, _, inventory = chip_with([Tag(uid) for uid in pair], budget=1000000)
        equal(inventory.scan(), pair)
        equal(inventory.tally.whole(), True)
        chip, _, inventory = chip_with([Tag(uid) for uid in pair])
        found = inventory.scan()
        # sixteen slots for every four bits that are alike: beyond some 32 of them the time is up, and that is told
        if bit < 32 or inventory.tally.whole():
            equal(found, pair)
        equal(chip.faults, [])


def check_a_scan_takes_as_long_as_was_computed():
    from iso15693_sim import Tag

    dice = Dice(9)
    # milliseconds; the table's own model of a PN5180 gave 19, 23, 43 and 122, always with 16 slots
    for count, least, most in ((0, 4, 6), (1, 8, 10), (4, 30, 70), (11, 80, 155)):
        took = 0
        for _ in range(10):
            uids = [b"\xe0\x04\x01" + bytes(int(dice() * 256) for _ in range(5)) for _ in range(count)]
            chip, _, inventory = chip_with([Tag(uid) for uid in uids])
            began = chip.clock.now
            equal(inventory.scan(before=sorted(uids)), sorted(uids))
            took += chip.clock.now - began
        if not least <= took / 10000 <= most:
            raise AssertionError("%d tags took %f ms" % (count, took / 10000))


def check_one_question_is_asked_first_and_sixteen_slots_only_after_a_collision():
    from iso15693_sim import Tag

    for count, rounds in ((0, 0), (1, 0), (2, 1)):
        chip, _, inventory = chip_with([Tag(uid) for uid in UID[:count]])
        chip.frames = []
        inventory.scan(before=UID[:1])
        equal(chip.frames[0], bytes((0x26, 1, 0)))
        equal(inventory.tally.rounds, rounds)


def check_a_strong_tag_hides_a_weak_one_only_where_nobody_is_new():
    from iso15693_sim import Tag

    pair = [bytes((0xE0, 4, 1, 1, 1, 1, n, 0x40)) for n in (1, 2)]
    chip, _, inventory = chip_with([Tag(pair[0], 1.0), Tag(pair[1], 4.0)], capture=2.0)
    equal(inventory.scan(before=[pair[1]]), [pair[1]])  # nobody new: the strong one alone is heard
    equal(inventory.scan(), pair)  # somebody new is silenced, and it is asked again
    equal(inventory.scan(True, [pair[1]]), pair)  # and so it is every time where it is wanted
    equal(inventory.scan(True), pair)  # the field went off between: both are awake again
    equal(chip.faults, [])


def check_a_tag_at_the_edge_is_missed_or_read_and_never_another():
    from iso15693_sim import Tag

    tags = [Tag(uid, weak=0.6, missed=0.2) for uid in UID[:3]]
    chip, _, inventory = chip_with(tags, random=Dice(5))
    seen = set()
    for _ in range(60):
        found = inventory.scan()
        seen.update(found)
        if [uid for uid in found if uid not in UID[:3]]:
            raise AssertionError("read a tag that is not there: %r" % found)
    equal(sorted(seen), UID[:3])
    equal(chip.faults, [])


def check_a_checksum_that_is_not_checked_still_fabricates_nothing_in_the_asked_bits():
    from iso15693 import read_uid

    answer = b"\x00\x00" + bytes(reversed(UID[3]))
    equal(read_uid(answer, UID[3][7] & 15, 4), UID[3])
    equal(read_uid(answer, UID[3][7] + 1 & 15, 4), None)
    equal(read_uid(b"\x01\x0f" + answer[2:], UID[3][7] & 15, 4), None)
    equal(read_uid(answer[:9] + b"\x00", UID[3][7] & 15, 4), None)


class At:
    """The bus of a simulated chip, to which something happens at one transfer."""

    def __init__(self, chip, transfer, what):
        self.chip = chip
        self.left = transfer
        self.what = what

    def write(self, data):
        self.left -= 1
        if self.left == 0:
            self.what(self.chip)
        self.chip.spi_write(data)

    def readinto(self, buffer, fill):
        self.left -= 1
        if self.left == 0:
            self.what(self.chip)
        self.chip.spi_readinto(buffer)


LONGEST = 300000


def scan_or_error(chip, inventory, before):
    """(UIDs or None, what the error says); no scan lasts longer than it may."""
    from pn5180 import ReaderError

    began = chip.clock.now
    try:
        found, said = inventory.scan(before=before), ""
    except ReaderError as error:
        found, said = None, str(error)
    if chip.clock.now - began > LONGEST:
        raise AssertionError("a scan took %d us (%s)" % (chip.clock.now - began, said))
    if len(said) > 60:
        raise AssertionError("the link carries 60 characters: " + said)
    return found, said


def strike(what):
    """Let ``what`` happen to a chip at every transfer of a scan in turn; the outcomes, as ``scan_or_error``."""
    from iso15693_sim import Tag

    told = []
    while True:
        chip, reader, inventory = chip_with([Tag(UID[1])])
        reader.spi = At(chip, len(told) + 1, what)
        outcome = scan_or_error(chip, inventory, UID[1:2])
        if reader.spi.left > 0:
            break
        told.append(outcome)
    if len(told) < 40:
        raise AssertionError("only %d transfers were tried" % len(told))
    return told


def check_a_chip_that_resets_itself_in_a_scan_is_told_in_that_scan():
    def forget(chip):
        chip.forget()

    told = strike(forget)
    settled = [at for at, (found, _) in enumerate(told) if found is not None]
    # struck after its settings were compared, what it had read was read well; the next scan tells
    for at in settled:
        equal(told[at][0], UID[1:2])
    if settled and settled[0] < len(told) - 8:
        raise AssertionError("a reset at transfer %d of %d was not told" % (settled[0], len(told)))


def check_a_chip_that_gets_too_hot_is_told_in_that_scan_and_left_alone():
    from pn5180 import TooHot

    def heat(chip):
        chip.overheat()

    for found, said in strike(heat):
        if found is not None:
            equal(found, UID[1:2])
    chip, _, inventory = chip_with([])
    chip.overheat()
    try:
        inventory.scan()
    except TooHot as error:
        equal(error.rest_us, 10000000)
    else:
        raise AssertionError("a hot chip was scanned")


def check_a_chip_that_hangs_at_any_moment_is_an_error_and_not_an_empty_answer():
    for broken in ("mute", "stuck"):

        def hang(chip, broken=broken):
            chip.broken = broken

        for found, said in strike(hang):
            equal(found, None)
            equal("BUSY" in said, True)


def check_refused_sending_is_tried_again_and_then_told():
    from iso15693_sim import Tag

    for state in (0, 2, 3, 5):
        chip, _, inventory = chip_with([Tag(UID[1])])
        chip.refusals, chip.refusal_state = 1, state
        equal(scan_or_error(chip, inventory, ()), (UID[1:2], ""))
        chip.refusals = -1
        found, said = scan_or_error(chip, inventory, ())
        equal((found, said), (None, "the PN5180 refuses to send (transceiver state %d)" % state))
        equal(chip.faults, [])


def check_a_chip_that_sends_nothing_is_not_taken_for_an_empty_coil():
    from iso15693_sim import Tag

    chip, _, inventory = chip_with([Tag(UID[1])])
    chip.deaf = True
    equal(scan_or_error(chip, inventory, ()), (None, "the PN5180 sends nothing"))


def check_a_loose_wire_is_an_error_and_never_a_tag():
    from iso15693_sim import Tag

    dice = Dice(3)
    for wire in (lambda value: 255, lambda value: 0, lambda value: int(dice() * 256), lambda value: value ^ 0x40):
        chip, _, inventory = chip_with([Tag(UID[1])])
        chip.miso = wire
        found, said = scan_or_error(chip, inventory, ())
        equal(found, None)
        equal(said != "", True)


def check_another_readers_field_keeps_nobody_from_being_read_and_is_told():
    from iso15693_sim import Tag

    chip, reader, inventory = chip_with([Tag(UID[1])])
    equal(scan_or_error(chip, inventory, ()), (UID[1:2], ""))
    equal(reader.foreign, False)
    chip.foreign = True
    equal(scan_or_error(chip, inventory, ()), (UID[1:2], ""))
    equal(reader.foreign, True)
    # with collision avoidance, as it was sent before, the chip does not switch on at all
    reader.command(bytes((0x16, 0)))
    equal(reader.read(0x1D) >> 17 & 1, 0)
    found, said = scan_or_error(chip, inventory, ())
    equal((found, said), (None, "another reader keeps the PN5180's field off"))


def check_errors_in_every_slot_end_with_the_budget_and_are_not_taken_for_nobody():
    from iso15693_sim import Tag

    for jam in ("collision", "integrity", "endless"):
        for tags in ([], [Tag(uid) for uid in UID[:3]]):
            chip, _, inventory = chip_with(tags)
            chip.jam = jam
            pauses = []
            inventory.pause = lambda chip=chip, pauses=pauses: pauses.append(chip.clock.now)
            equal(scan_or_error(chip, inventory, ()), ([], ""))
            equal(inventory.tally.whole(), False)
            equal(chip.faults, [])
            gaps = [pauses[i + 1] - pauses[i] for i in range(len(pauses) - 1)]
            if max(gaps) > 15000:
                raise AssertionError("nothing else could be done for %d us" % max(gaps))


def check_no_frame_is_sent_into_the_answers_of_tags():
    from iso15693_sim import Tag

    # the simulated tags note a frame that begins while one of them speaks; whose answers collide speak to their end
    dice = Dice(11)
    for count in (2, 3, 5, 8):
        uids = [b"\xe0\x04\x01" + bytes(int(dice() * 256) for _ in range(5)) for _ in range(count)]
        chip, _, inventory = chip_with([Tag(uid) for uid in uids])
        equal(inventory.scan(), sorted(uids))
        equal(chip.faults, [])
    # one that speaks beyond its limits misses frames: it may be missed, and nobody is made up
    pair = [Tag(UID[1]), Tag(UID[2])]
    pair[0].drawl = 4000
    chip, _, inventory = chip_with(pair)
    for _ in range(5):
        found, _ = scan_or_error(chip, inventory, ())
        if [uid for uid in found if uid not in UID[1:3]]:
            raise AssertionError("made up: %r" % found)
    if not chip.faults:
        raise AssertionError("the simulated tags do not notice")


class Slow:
    """The bus of a simulated chip under an interpreter that takes its time: the chip is asked in the middle of it."""

    def __init__(self, chip, before, after):
        self.chip = chip
        self.before = before
        self.after = after

    def write(self, data):
        self.chip.clock.now += self.before
        self.chip.spi_write(data)
        self.chip.clock.now += self.after

    def readinto(self, buffer, fill):
        self.chip.clock.now += self.before
        self.chip.spi_readinto(buffer)
        self.chip.clock.now += self.after


def check_a_slow_interpreter_takes_no_answer_for_silence():
    from iso15693_sim import Tag

    for before, after in ((0, 400), (400, 0), (200, 200), (0, 900), (50, 1700), (1300, 10)):
        chip, reader, inventory = chip_with([Tag(uid) for uid in UID[:2]], budget=1000000)
        reader.spi = Slow(chip, before, after)
        equal(inventory.scan(before=UID[:2]), UID[:2])
        chip.field.tags = chip.field.tags[:1]
        equal(inventory.scan(before=UID[:1]), UID[:1])
        equal(chip.faults, [])


def check_the_clock_may_wrap_in_the_middle_of_a_scan():
    from iso15693_sim import Tag

    for before in range(0, 40000, 1700):
        chip, _, inventory = chip_with([Tag(uid) for uid in UID[:2]])
        chip.clock.now = (1 << 30) - before
        equal(scan_or_error(chip, inventory, ()), (UID[:2], ""))


def check_six_coils_at_one_reader_each_keep_their_own_answers_and_troubles():
    from antenna import Antennas
    from iso15693_sim import Tag

    chip, reader, _ = chip_with([])
    antennas = Antennas([reader], ("a", "b"), (lambda level: None,))

    def scan(zone, tags=()):
        chip.field.tags = [Tag(uid) for uid in tags]
        chip.clock.now += 200000
        return antennas.scan(zone), antennas.whole, antennas.trouble

    equal(scan("a", UID[:1]), (UID[:1], True, ""))
    equal(scan("b"), ([], True, ""))
    chip.foreign = True
    equal(scan("b"), ([], True, "another reader's field is near"))
    chip.foreign = False
    equal(scan("a"), ([], True, ""))
    equal(scan("b")[2], "another reader's field is near")
    chip.clock.now += 2000000
    equal(scan("b"), ([], True, ""))
    chip.jam = "integrity"
    equal(scan("a"), ([], False, ""))
    chip.clock.now += 2000000
    equal(scan("a"), ([], False, "something answers here that cannot be read"))
    chip.jam = None
    equal(scan("a", UID[:1]), (UID[:1], True, ""))
    # the first failure is followed by a reset at once, a second one by two seconds of rest, heat by ten
    chip.forget()
    equal(scan("a", UID[:1]), (None, False, "the PN5180 has forgotten register 18h (a reset?)"))
    equal(chip.held, 0)
    equal(scan("a", UID[:1]), (UID[:1], True, ""))
    chip.deaf = True
    equal(scan("a"), (None, False, "the PN5180 sends nothing"))
    equal(scan("a"), (None, False, "the PN5180 sends nothing"))
    chip.deaf = False
    equal(scan("a"), (None, False, "the PN5180 sends nothing"))
    chip.clock.now += 2000000
    equal(scan("a", UID[:1]), (UID[:1], True, ""))
    chip.overheat()
    equal(scan("a"), (None, False, "the PN5180 is too hot: its field is off"))
    chip.hot = False
    chip.clock.now += 9000000
    equal(scan("a")[0], None)
    chip.clock.now += 1000000
    equal(scan("a", UID[:1]), (UID[:1], True, ""))


def cell_with(**known):
    from chips_sim import HX711Sim
    from hx711 import HX711, Cell
    from pn5180_sim import SimClock

    clock = SimClock()
    sim = HX711Sim(clock)
    return clock, sim, Cell(HX711(sim.dout, sim.sck), clock, **known)


def poll(clock, cell, seconds, step=1000):
    for _ in range(int(seconds * 1000000) // step):
        clock.wait_us(step)
        cell.poll()


def check_a_load_cell_reads_both_signs_and_refuses_saturation():
    clock, sim, cell = cell_with()
    converter = cell.converter
    sim.frozen = True
    wanted = (0, 0, 1, -1, 4093, -4093, 0x7FFFFE, -0x7FFFFF)
    read = []
    for value in wanted:
        sim.counts = value
        clock.now += 13000
        read.append(converter.read())
        equal(converter.read(), None)
    equal(read, [None] + list(wanted[1:]))  # the first conversion is thrown away
    for value in (0x7FFFFF, -0x800000):
        sim.counts = value
        clock.now += 13000
        equal(converter.read(), None)
        equal(converter.wrong, "the load cell is out of range (a torn wire?)")
    equal(sim.faults, [])


def check_a_missing_converter_is_told_whatever_its_line_reads():
    for level in (0, 1):
        clock, sim, cell = cell_with(zero=0, counts_per_kg=3000000)
        sim.missing = level
        poll(clock, cell, 3.0)
        equal(cell.weigh(), None)
        equal(cell.trouble() != "" or level == 1, True)  # a silent one is told by sensors.Scale, after a second


def check_grams_follow_tare_and_calibration_in_whole_numbers():
    from hx711 import Cell

    class Feed:
        value = 0
        wrong = ""

        def read(self):
            return self.value

    from pn5180_sim import SimClock

    feed = Feed()
    cell = Cell(feed, SimClock())
    equal(cell.weigh(), None)
    feed.value = 83210
    for _ in range(8):
        cell.poll()
    equal(cell.weigh(), None)  # never calibrated: no grams
    equal(cell.trouble(), "the scale is not calibrated")
    for _ in range(8):
        cell.poll()
    equal(cell.tare(), True)
    equal(cell.weigh(), None)
    feed.value = 83210 + 300000
    cell.poll()
    equal(cell.calibrate(100000), True)
    equal(cell.counts_per_kg, 3000000)
    feed.value = 83210 + 5400
    cell.poll()
    equal(cell.weigh(), 1800)
    feed.value = 83210 - 5400
    cell.poll()
    equal(cell.weigh(), -1800)
    equal(cell.tare(), False)
    # 100 g that were 10 g: no cell of a table is so stiff
    feed.value = 83210 + 30000
    cell.poll()
    equal(cell.calibrate(100000), False)
    equal(cell.counts_per_kg, 3000000)


def check_conversions_a_second_are_counted_and_a_busy_node_does_not_miscount():
    for rate, step, told in ((80, 1000, 80), (10, 1000, 10), (80, 9000, 80), (80, 12000, 80)):
        clock, sim, cell = cell_with(zero=0, counts_per_kg=3000000)
        sim.rate = rate
        poll(clock, cell, 5.0, step)  # looked at every 12 ms it may miss some, and so says nothing of their number
        if abs(cell.rate - told) > 4:
            raise AssertionError("%d a second looked at every %d us are taken for %d" % (rate, step, cell.rate))


class Arms:
    """Light barriers by hand: ``told`` has (name, level, milliseconds)."""

    def __init__(self):
        from reaches import Reaches

        self.told = []
        self.reaches = Reaches(("stock", "discard", "pots"), self.note)

    def note(self, name, level, moment):
        self.told.append((name, level, moment // 1000))

    def play(self, *steps):
        """Each step: (milliseconds, barrier, level)."""
        for at, barrier, level in steps:
            self.until(at)
            kind, name = barrier.split(":")
            self.reaches.raw(kind, name, level, at * 1000)
        self.until(steps[-1][0] + 2000)
        return self.told

    def until(self, at):
        while True:
            due = self.reaches.due()
            if due is None or due > at * 1000:
                return
            self.reaches.tick(due)


def check_one_arm_over_one_edge_is_its_seats_reach():
    told = Arms().play((0, "edge:N", 1), (180, "place:stock", 1), (900, "place:stock", 0), (1100, "edge:N", 0))
    equal(told, [("N:stock", 1, 180), ("N:stock", 0, 900)])


def check_a_place_broken_with_no_edge_is_nobodys():
    told = Arms().play((0, "place:pots", 1), (400, "place:pots", 0))
    equal(told, [("-:pots", 1, 0), ("-:pots", 0, 400)])


def check_two_arms_at_once_are_not_told_apart_and_stay_so():
    told = Arms().play(
        (0, "edge:N", 1),
        (50, "edge:E", 1),
        (200, "place:stock", 1),
        (300, "edge:E", 0),  # it was North's, one might think now; but East's may have been there as well
        (500, "place:stock", 0),
        (600, "edge:N", 0),
    )
    equal([event for event in told if "stock" in event[0]], [("-:stock", 1, 200), ("-:stock", 0, 500)])


def check_two_places_reached_one_after_the_other_by_one_arm():
    told = Arms().play(
        (0, "edge:S", 1),
        (150, "place:stock", 1),
        (300, "place:stock", 0),
        (500, "place:discard", 1),
        (800, "place:discard", 0),
        (900, "edge:S", 0),
    )
    wanted = [("S:stock", 1, 150), ("S:stock", 0, 300), ("S:discard", 1, 500), ("S:discard", 0, 800)]
    equal(told, wanted)


def check_an_arm_that_reaches_for_no_place_reaches_for_the_table():
    told = Arms().play((0, "edge:W", 1), (700, "place:discard", 1), (900, "place:discard", 0), (1000, "edge:W", 0))
    wanted = [("W:table", 1, 0), ("W:table", 0, 700), ("W:discard", 1, 700), ("W:discard", 0, 900)]
    equal(told, wanted)


def check_an_edge_that_just_cleared_still_tells_whose_arm_it_was():
    told = Arms().play((0, "edge:N", 1), (100, "edge:N", 0), (250, "place:stock", 1), (300, "place:stock", 0))
    equal(told, [("N:stock", 1, 250), ("N:stock", 0, 300)])
    told = Arms().play((0, "edge:N", 1), (100, "edge:N", 0), (600, "place:stock", 1), (700, "place:stock", 0))
    equal(told, [("-:stock", 1, 600), ("-:stock", 0, 700)])


def check_a_flickering_barrier_makes_one_reach():
    told = Arms().play(
        (0, "edge:N", 1),
        (100, "place:stock", 1),
        (104, "place:stock", 0),
        (109, "place:stock", 1),
        (200, "edge:N", 0),
        (210, "edge:N", 1),
        (500, "place:stock", 0),
        (600, "edge:N", 0),
    )
    equal(told, [("N:stock", 1, 100), ("N:stock", 0, 500)])


def check_an_arm_left_in_a_place_when_another_leaves_is_told_anew():
    told = Arms().play(
        (0, "edge:N", 1),
        (100, "place:stock", 1),
        (200, "edge:E", 1),
        (400, "edge:N", 0),  # North's arm is gone, and something still breaks the place
        (700, "place:stock", 0),
        (800, "edge:E", 0),
    )
    stock = [event for event in told if "stock" in event[0]]
    equal(stock, [("N:stock", 1, 100), ("N:stock", 0, 400), ("E:stock", 1, 400), ("E:stock", 0, 700)])


def check_a_configuration_is_sealed_and_damage_is_noticed():
    from settings import seal, unseal

    text = seal('{"board": "gates", "sensors": [["coil", "gate-N"]], "calibration": {}}')
    equal(unseal(text)["sensors"], [["coil", "gate-N"]])
    equal(json.loads(text)["board"], "gates")
    for place in range(0, len(text) - 3):
        broken = text[:place] + chr(ord(text[place]) ^ 2) + text[place + 1 :]
        try:
            found = unseal(broken)
        except ValueError:
            continue
        raise AssertionError("damage at %d was not noticed: %r" % (place, found))
    for broken in ("", "{}", text + "x", text[:-10], text[40:]):
        try:
            unseal(broken)
        except ValueError:
            continue
        raise AssertionError("%r was taken" % broken)


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
