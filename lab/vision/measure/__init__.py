"""Count how well cards are read, by kinds of pictures: ``python -m lab.vision.measure SUITE``."""
