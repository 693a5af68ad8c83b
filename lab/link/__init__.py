"""Proof of the link: the firmware's end of it and lines that fail, in simulated time and over a real pty."""
