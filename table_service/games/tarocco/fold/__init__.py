"""Tarocco at one table: movements to a deal, judged, told and counted, behind the seam of every game."""
