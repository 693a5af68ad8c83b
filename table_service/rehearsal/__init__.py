"""Simulated players, their faults, and the truth that the table's findings are measured against."""
