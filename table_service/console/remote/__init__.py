"""Alerts beyond the hall: those sent to people outside it, and those of other halls that come in."""
