"""The line with which every blackjack report names its rules."""

from rich.console import Console
from rich.markup import escape

from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.play.phrases import rules_summary


def print_rules(console: Console, rules: BlackjackRules) -> None:
    """Name the rules: the preset and what differs from it, and the same in words."""
    console.print(f"Rules: [bold]{escape(BLACKJACK.describe(rules))}[/bold]", highlight=False)
    console.print(f"[dim]{rules_summary(rules)}[/dim]", highlight=False)
