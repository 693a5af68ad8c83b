"""How the link is proven: the firmware's end of it and lines that go wrong, in simulated time and over a real pty."""
