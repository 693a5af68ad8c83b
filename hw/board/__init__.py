"""A technician's bench: the procedure by which a built table is tried, and the figures that a bench log gives.

What the table is built of, its wiring and its drawings are in ``lab/board``.
"""
