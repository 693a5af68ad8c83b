"""The physical table as data: cards, seats, zones, observations, and the table map."""
