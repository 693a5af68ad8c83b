"""Tools of Tavolo's makers: construction of a table, training and measuring the readers, proving the link.

Not in the wheel.
"""
