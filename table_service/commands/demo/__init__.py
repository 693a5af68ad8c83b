"""`tavolo demo`: a simulated table plays, everything real after the sensors; the result is compared and reported."""
