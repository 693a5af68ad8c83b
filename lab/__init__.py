"""What only Tavolo's makers need: training and measuring the readers, proving the link. Not in the wheel."""
