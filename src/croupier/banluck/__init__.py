"""Banluck (ban luck, Chinese blackjack): one dealer, one to seven players, one fresh deck a hand."""
