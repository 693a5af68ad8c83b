"""What leaves the hall: alerts to people who are not in it, and the alerts of other halls that come in."""
