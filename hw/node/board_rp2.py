# The pins of an RP2040 or RP2350 under MicroPython: with startup.py the only file that imports ``machine``. Nothing in it
# has ever run on a real chip here; what it is made of has, against simulated ones (docs/firmware.md).

import os
import select
import sys
import time

import machine
import micropython
from fingerprint import checksum, read_pieces
from settings import BROWNOUT, POWER, RESET, UNKNOWN, WATCHDOG, count_start

CHIP_RESET_2040 = 0x40064008  # VREG_AND_CHIP_RESET: bit 8 power-on (or brown-out: it cannot tell), 16 RUN pin
CHIP_RESET_2350 = 0x4010002C  # POWMAN: bit 16 power-on, 17 brown-out, 18 RUN pin
REASON_2040 = 0x40058008  # WATCHDOG REASON: bit 0 the timer ran out, bit 1 a program asked for it (machine.reset)
REASON_2350 = 0x400D8008
VSYS = 29  # a Pico measures a third of its supply there (a Pico W does not while its radio is on)
WATCHDOG_MS = 4000  # an RP2040 can wait 8388 at most
STARTS = "starts.json"
KEYS = (b"\r\x03", b"\x03", b"\r\x03\x03")  # what mpremote sends first; frames of the link begin and end with a zero


class Rp2:
    """Pins, buses, time and the line of one Pico. ``link``: ``usb`` (its own USB port) or ``uart``."""

    def __init__(self, link, pins):
        self.ticks = time.ticks_us  # no function of ours between: drivers look at it all the time
        self.last = time.ticks_us()
        self.passed = 0
        self.irq_state = None
        self.why = find_cause()
        self.counted = count_start(STARTS, self.why)
        self.checksum = checksum(os.listdir(), read_pieces)
        self.uart = None
        self.poller = None
        if link == "uart":
            self.uart = machine.UART(
                0, 1_000_000, tx=machine.Pin(pins["link.tx"]), rx=machine.Pin(pins["link.rx"]), rxbuf=2048, txbuf=2048
            )
            micropython.kbd_intr(3)  # no frames at the USB port: Ctrl-C there is a technician's
        else:
            self.poller = select.poll()
            self.poller.register(sys.stdin, select.POLLIN)
        self.adc = machine.ADC(VSYS)
        self.watchdog = None
        self.maintenance = False  # somebody at a terminal, mpremote most likely, wants the program to stop

    # time

    def us(self):
        now = time.ticks_us()
        self.passed += time.ticks_diff(now, self.last)
        self.last = now
        return self.passed

    def elapsed(self, since):
        return time.ticks_diff(time.ticks_us(), since)

    def wait_us(self, count):
        time.sleep_us(count)

    def start_watchdog(self):
        self.watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def feed_watchdog(self):
        if self.watchdog is not None:
            self.watchdog.feed()

    # pins

    def output(self, gpio, level):
        return machine.Pin(gpio, machine.Pin.OUT, value=level)

    def input(self, gpio, pull_up):
        return machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_UP if pull_up else None)

    def bus(self, kind, number, hertz, pins):
        found = {word: machine.Pin(gpio) for word, gpio in pins.items()}
        if kind == "spi":
            return machine.SPI(number, baudrate=hertz, polarity=0, phase=0, **found)
        return machine.I2C(number, freq=hertz, timeout=5000, **found)

    def free_bus(self, number, hertz, pins):
        """Nine clocks and a stop, for a chip that holds the data line; the bus anew, and the line that is held still."""
        sda = machine.Pin(pins["sda"], machine.Pin.OPEN_DRAIN, value=1)
        scl = machine.Pin(pins["scl"], machine.Pin.OPEN_DRAIN, value=1)
        half = 500_000 // hertz + 1
        for _ in range(9):
            if sda():
                break
            scl(0)
            time.sleep_us(half)
            scl(1)
            time.sleep_us(half)
        sda(0)
        time.sleep_us(half)
        sda(1)  # while the clock is high: stop
        time.sleep_us(half)
        held = "clock" if not scl() else "data" if not sda() else ""
        return self.bus("i2c", number, hertz, pins), held

    def guard(self, on):
        if on:
            self.irq_state = machine.disable_irq()
        else:
            machine.enable_irq(self.irq_state)

    def tone(self, gpio):
        pwm = machine.PWM(machine.Pin(gpio))
        pwm.duty_u16(0)

        def sound(hertz):
            if hertz:
                pwm.freq(hertz)
            pwm.duty_u16(32768 if hertz else 0)

        return sound

    def supply(self):
        return self.adc.read_u16() * 3 * 3300 // 65535

    # who it is

    def boot(self):
        return int.from_bytes(os.urandom(4), "little")

    def cause(self):
        return self.why

    def counts(self):
        return self.counted

    def files(self):
        return self.checksum

    # the line

    def read_link(self):
        if self.uart is not None:
            return self.uart.read() if self.uart.any() else b""
        data = b""
        while len(data) < 512 and self.poller.poll(0):
            data += sys.stdin.buffer.read(1)  # to read more at once would wait for it
        if data in KEYS:
            self.maintenance = True
        return data

    def reset(self):
        machine.reset()

    def write_link(self, data):
        if self.uart is not None:
            return self.uart.write(data) or 0
        return sys.stdout.buffer.write(data) or 0


def find_cause():
    """Why the chip started, as in link_schema.json. An RP2040 cannot tell a brown-out from power-on."""
    newer = "RP2350" in os.uname().machine
    if machine.reset_cause() == machine.WDT_RESET:
        reason = machine.mem32[REASON_2350 if newer else REASON_2040]
        return RESET if reason & 3 == 2 else WATCHDOG
    if newer:
        bits = machine.mem32[CHIP_RESET_2350]
        if bits & 1 << 17:
            return BROWNOUT
        bits = (bits >> 16 & 1) << 8 | (bits >> 18 & 1) << 16
    else:
        bits = machine.mem32[CHIP_RESET_2040]
    if bits & 1 << 16:
        return RESET
    return POWER if bits & 1 << 8 else UNKNOWN
