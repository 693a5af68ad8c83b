"""`tavolo demo`: a simulated table plays, everything real after the sensors; what came of it is compared and told."""
