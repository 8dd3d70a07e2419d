"""What blackjack play comes to: simulation of any chart under any rules, with or without a count."""
