"""Simulated chips and an emulated board: what a node's firmware is proven against, and no table needs."""
