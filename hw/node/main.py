# What a Pico runs when it gets power. The link's frames hold bytes 3, which MicroPython takes for Ctrl-C until it is told
# not to: that comes first, and this file is short because it is compiled before it can say so. A Ctrl-C that came even
# earlier (after a soft reboot the port is still there) is raised by the loop and swallowed.
try:
    import micropython

    micropython.kbd_intr(-1)
    for _ in range(2):
        pass
except KeyboardInterrupt:
    import micropython

    micropython.kbd_intr(-1)

if __name__ == "__main__":
    import startup

    startup.begin()
