"""One hand at a table of several players: what each seat, or the dealer, does with it, what that is worth, and how it differs from one player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.banluck.analysis import html
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.analysis.two_player_prices import TwoPlayerPrices
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import Multiset, format_multiset, parse_multiset
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.errors import InputError


@dataclass(frozen=True, slots=True)
class TableChoice:
    """What somebody does with a hand in one situation.

    Attributes
    ----------
    who, seen
        Whose hand it is, and what this one sees of the others.
    frequencies, worth
        By action: how often the solution takes it, and what it is worth in units of whoever decides.
    """

    who: str
    seen: str
    frequencies: Mapping[str, float]
    worth: Mapping[str, float]

    @property
    def best(self) -> str:
        """The action that is worth most."""
        return max(self.worth, key=self.worth.__getitem__)

    def row(self) -> dict[str, str]:
        """Return it as a row of a table."""
        worth = {action: f"{units:+.6f}" for action, units in self.worth.items()}
        done = ", ".join(
            action if share > 0.9999 else f"{action} {share:.1%}"
            for action, share in self.frequencies.items()
            if share > 0.0001
        )
        return {"who": self.who, "sees": self.seen, "does": done, **worth}


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
    prices: TwoPlayerPrices | None = None,
) -> TableExplanation:
    """Explain a hand at a solved table of two players.

    Parameters
    ----------
    hand
        Ranks or cards, such as ``T-6``.
    counts
        For the dealer's hand: how many cards the players hold. Without it, the hand is a player's, in each seat.
    heads_up, prices
        The game of one player, and the sums of the table; worked out if they are not given.

    Raises
    ------
    InputError
        If the hand leaves nothing to decide, or there are more than two players.
    """
    if not isinstance(solution.strategy, TableStrategy):
        raise InputError(
            f"{solution.players} players: hands are explained at tables of one and two; with more, the coach prices them"
        )
    held = parse_multiset(hand) if isinstance(hand, str) else hand
    heads_up = heads_up or solve(solution.rules)
    if counts is None:
        alone = _alone("player", "nobody else", heads_up.book.player_advice(held))
        priced = (prices or TwoPlayerPrices(solution)).seat_choices(held)
    else:
        alone = _alone("dealer", f"{counts[0]} cards", heads_up.book.dealer_advice(held, counts[0]))
        priced = (prices or TwoPlayerPrices(solution)).dealer_choices(held, counts)
    choices = tuple(TableChoice(*choice) for choice in priced)
    value = evaluate_classes(held, solution.rules)
    name = f"{format_multiset(held)}, {value}"
    return TableExplanation(
        solution.rules,
        solution.players,
        "player" if counts is None else "dealer",
        held,
        (*choices, alone),
        tuple(_sentences(name, choices, alone)),
    )


def _alone(who: str, seen: str, advice: Advice) -> TableChoice:
    stop = {} if advice.ev_stop is None else {advice.stop: advice.ev_stop}
    shares = {advice.go: advice.go_frequency, **dict.fromkeys(stop, 1.0 - advice.go_frequency)}
    return TableChoice(f"{who}, alone", seen, shares, {advice.go: advice.ev_go, **stop})


def _sentences(name: str, choices: Sequence[TableChoice], alone: TableChoice) -> list[str]:
    said = [f"{name}: with one player, {alone.best} is best."]
    for choice in choices:
        ordered = sorted(choice.worth.values(), reverse=True)
        lead = ordered[0] - ordered[1] if len(ordered) > 1 else 0.0
        differs = "" if choice.best == alone.best else " This differs from the game of one player."
        said.append(
            f"{choice.who.capitalize()}, {choice.seen}: {choice.best}, better by {lead:.6f} units.{differs}"
        )
    said.append(
        "Where a Ban hand or a bust lies open, the cards are out of the pack, and the figures change a little."
    )
    return said
