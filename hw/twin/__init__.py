"""A simulated table: gestures in, sensor values and camera frames out. It obeys the physics of the design, section 1."""
