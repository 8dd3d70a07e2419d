"""Counting cards: systems, indices, bet ramps, and what they win."""
