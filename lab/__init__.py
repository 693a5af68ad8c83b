"""Tools of Tavolo's makers: training and measuring the readers, proving the link. Not in the wheel."""
