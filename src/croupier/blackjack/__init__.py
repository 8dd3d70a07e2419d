"""Blackjack: every rule that tables differ in as an option, one engine, exact analysis."""
