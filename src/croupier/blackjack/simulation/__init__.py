"""Rounds of blackjack by the billion: any chart, any rules, real shoes; compiled, and tested equal to the engine."""
