"""Measure the time and the memory of looking."""
