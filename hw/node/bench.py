# For a technician at the node's prompt (docs/firmware.md): look at every sensor, set zero and scale, teach what upright is.
#   >>> import bench
#   >>> b = bench.Bench()
#   >>> b.tare("stock"); b.calibrate("stock", 200)
# Nothing of it runs while the table plays.

import program
from settings import load, save


class Bench:
    """The board without its loop. What is taught is kept in node.json at once."""

    def __init__(self, hardware_class=None, path="node.json"):
        if hardware_class is None:
            from board_rp2 import Rp2

            hardware_class = Rp2
        self.path = path
        self.board, self.hardware = program.make(hardware_class)

    def keep(self, name, known):
        config, trouble = load(self.path, program.DEFAULTS)
        if trouble:
            raise ValueError(trouble)
        config["calibration"][name] = known
        save(self.path, config)

    def gather(self, cell, seconds):
        end = self.hardware.us() + int(seconds * 1000000)
        cell.sum = cell.count = 0
        while self.hardware.us() < end:
            cell.poll()
            self.hardware.wait_us(1000)

    def weigh(self, zone):
        """Grams on a scale, over a second; where it gives none, what is wrong with it."""
        cell = self.board.cells[zone]
        self.gather(cell, 1)
        milligrams = cell.weigh()
        return (cell.trouble() or "the load cell does not answer") if milligrams is None else milligrams / 1000

    def tare(self, zone):
        """Set zero to the present load. True if it was kept."""
        cell = self.board.cells[zone]
        self.gather(cell, 2)
        return cell.tare() and self.keep_cell(zone, cell)

    def calibrate(self, zone, grams):
        """Calibrate with a weight of ``grams`` on the scale now, after ``tare``. True if it was kept."""
        cell = self.board.cells[zone]
        self.gather(cell, 2)
        return cell.calibrate(int(grams * 1000)) and self.keep_cell(zone, cell)

    def keep_cell(self, zone, cell):
        known = {"zero": cell.zero}
        if cell.counts_per_kg:
            known["counts_per_kg"] = cell.counts_per_kg  # without it the node tells that the scale is not calibrated
        self.keep("scale:" + zone, known)
        return True

    def upright(self, seat):
        """Take the shield of a seat as upright now; the accelerometer's reading is kept and returned."""
        up = self.board.tilts[seat].chip.read()
        self.keep("shield:" + seat, {"up": list(up)})
        return up

    def scan(self, zone):
        """UIDs over a coil as hexadecimal, and what the inventory met."""
        found = self.board.inventory(zone)
        if found is None:
            return self.board.antennas.trouble
        tally = self.board.antennas.tally
        uids = ["".join("%02X" % byte for byte in uid) for uid in found]
        return uids, {"clashes": tally.clashes, "noises": tally.noises, "unresolved": tally.unresolved}

    def inputs(self):
        """Every light barrier, button and contact that is closed (or broken) now."""
        closed = []
        for group in self.board.switches.groups:
            levels = (group.chip.read() ^ group.rest) & group.chip.used
            closed += [sensor for bit, sensor in enumerate(group.sensors) if levels >> bit & 1]
        return closed

    def knocks(self, seconds=3):
        """The highest peak of each knock sensor within some seconds, in milli-g."""
        peaks = {}
        end = self.hardware.us() + seconds * 1000000
        while self.hardware.us() < end:
            told = self.board.knocks.poll()
            if told is not None:
                peaks[told[0]] = max(peaks.get(told[0], 0), told[1])
            self.hardware.wait_us(2000)
        return peaks

    def lights(self, turn=15, alert=15, sound=0):
        """Light the seats whose bits are set (1 N, 2 E, 4 S, 8 W); blinking and sounds need the running program."""
        self.board.lamps.show(turn, alert, sound)
        self.board.lamps.tick(0)
