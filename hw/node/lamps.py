# What a node shows to the players: whose turn it is, and that the arbitro was called or is wanted. Nothing else: there
# is no lamp, no number and no message for the time that is left, which some codes forbid to show (fibur2024).

SEATS = "NESW"
BLINK_MS = 250
SOUNDS = {0: (), 1: (120,), 2: (200, 150, 200, 150, 200)}  # milliseconds on, off, on …
HERTZ = 2600


class Lamps:
    """``turn`` and ``alert`` map a seat to a function that sets its light; ``tone(hertz)`` sounds, 0 is still."""

    def __init__(self, turn, alert, tone):
        self.turn = turn
        self.alert = alert
        self.tone = tone
        self.shown = (0, 0, 0)
        self.sound = ()
        self.sound_from = None
        self.lit = {}
        self.sounding = None
        self.tick(0)

    def show(self, turn, alert, sound):
        """Bits 0 to 3 are the seats N, E, S, W; a sound starts once, when it is first asked for."""
        if sound != self.shown[2]:
            self.sound = SOUNDS.get(sound, ())
            self.sound_from = None
        self.shown = (turn & 15, alert & 15, sound)

    def tick(self, now_ms):
        turn, alert, _ = self.shown
        on = now_ms // BLINK_MS % 2 == 0
        for bit, seat in enumerate(SEATS):
            self.light(self.turn, seat, turn >> bit & 1)
            self.light(self.alert, seat, 1 if alert >> bit & 1 and on else 0)
        self.ring(now_ms)

    def light(self, lamps, seat, level):
        key = (id(lamps), seat)
        if seat in lamps and self.lit.get(key) != level:
            self.lit[key] = level
            lamps[seat](level)

    def ring(self, now_ms):
        wanted = 0
        if self.sound:
            if self.sound_from is None:
                self.sound_from = now_ms
            at = now_ms - self.sound_from
            for place, lasts in enumerate(self.sound):
                if at < lasts:
                    wanted = HERTZ if place % 2 == 0 else 0
                    break
                at -= lasts
            else:
                self.sound = ()
        if wanted != self.sounding:
            self.sounding = wanted
            self.tone(wanted)
