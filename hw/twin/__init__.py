"""A simulated table: gestures in, sensor values and camera frames out. It obeys the design, section 1."""
