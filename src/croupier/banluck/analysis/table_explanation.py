"""One hand at a table of several players: what each seat, or the dealer, does with it, what that is worth, and how it differs from one player."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from croupier.banluck.analysis import html
from croupier.banluck.analysis.sampled_choices import SampledChoices
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.analysis.table_choice import TableChoice, TableChoices
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.analysis.two_player_prices import TwoPlayerPrices
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import Multiset, format_multiset, parse_multiset
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.table.strategy import TableStrategy


@dataclass(frozen=True, slots=True)
class TableExplanation:
    """A hand at a table of several players.

    Attributes
    ----------
    choices
        What is done in each situation, the game of one player last.
    sentences
        What there is to learn from it.
    """

    rules: BanluckRules
    players: int
    side: str
    hand: Multiset
    choices: tuple[TableChoice, ...]
    sentences: tuple[str, ...]

    def rows(self) -> list[dict[str, str]]:
        """Return the choices as rows of one table."""
        rows = [choice.row() for choice in self.choices]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return [{name: row.get(name, "") for name in names} for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON data."""
        return {
            "players": self.players,
            "side": self.side,
            "hand": format_multiset(self.hand),
            "choices": [
                {
                    "who": choice.who,
                    "sees": choice.seen,
                    "frequencies": dict(choice.frequencies),
                    "worth": dict(choice.worth),
                    "error": choice.error,
                    "best": choice.best,
                }
                for choice in self.choices
            ],
            "sentences": list(self.sentences),
            "rules": self.rules.model_dump(mode="json"),
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        return html.table(self.rows(), str(self))


def explain_table(
    solution: TableSolution,
    hand: str | Multiset,
    *,
    counts: Sequence[int] | None = None,
    heads_up: Solution | None = None,
    prices: TableChoices | None = None,
) -> TableExplanation:
    """Explain a hand at a solved table: exactly for two players, from sampled deals for more.

    Parameters
    ----------
    hand
        Ranks or cards, such as ``T-6``.
    counts
        For the dealer's hand: how many cards the players hold. Without it, the hand is a player's, in each seat.
    heads_up, prices
        The game of one player, and what prices the hand; worked out if they are not given.

    Raises
    ------
    InputError
        If the hand leaves nothing to decide.
    """
    held = parse_multiset(hand) if isinstance(hand, str) else hand
    heads_up = heads_up or solve(solution.rules)
    prices = prices or choices_of(solution)
    if counts is None:
        alone = _alone("player", "nobody else", heads_up.book.player_advice(held))
        choices = prices.seat_choices(held)
    else:
        alone = _alone("dealer", f"{counts[0]} cards", heads_up.book.dealer_advice(held, counts[0]))
        choices = prices.dealer_choices(held, counts)
    value = evaluate_classes(held, solution.rules)
    name = f"{format_multiset(held)}, {value}"
    return TableExplanation(
        solution.rules,
        solution.players,
        "player" if counts is None else "dealer",
        held,
        (*choices, alone),
        (*_sentences(name, choices, alone), prices.note),
    )


def choices_of(solution: TableSolution) -> TableChoices:
    """Return what prices hands at a table: sums over all deals for two players, sampled deals for more."""
    exact = isinstance(solution.strategy, TableStrategy)
    return TwoPlayerPrices(solution) if exact else SampledChoices(solution)


def _alone(who: str, seen: str, advice: Advice) -> TableChoice:
    stop = {} if advice.ev_stop is None else {advice.stop: advice.ev_stop}
    shares = {advice.go: advice.go_frequency, **dict.fromkeys(stop, 1.0 - advice.go_frequency)}
    return TableChoice(f"{who}, alone", seen, shares, {advice.go: advice.ev_go, **stop})


def _sentences(name: str, choices: Sequence[TableChoice], alone: TableChoice) -> list[str]:
    said = [f"{name}: with one player, {alone.best} is best."]
    for choice in choices:
        goes = {"hit", "draw"}
        is_new = choice.is_clear and (choice.best in goes) != (alone.best in goes)
        differs = " This differs from the game of one player." if is_new else ""
        said.append(f"{choice.who.capitalize()}, {choice.seen}: {_verdict(choice)}.{differs}")
    return said


def _verdict(choice: TableChoice) -> str:
    if len(choice.worth) == 1:
        return f"only {choice.best} is allowed"
    if not choice.is_clear:
        return f"too close to tell, {choice.lead:.4f} ± {choice.error:.4f} units for {choice.best}"
    lead = f"{choice.lead:.4f} ± {choice.error:.4f}" if choice.error else f"{choice.lead:.6f}"
    return f"{choice.best}, better by {lead} units"
