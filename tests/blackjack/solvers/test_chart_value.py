"""What any chart is exactly worth, against every round of a tiny shoe dealt card by card, under every option."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from croupier.blackjack.engine.moves import MOVES, Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import PAIR_ROWS, ROWS, Chart, Code, Row
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.chart_moves import column_of, columns_for, first_move, move_of, row_of_hand
from croupier.blackjack.solvers.doubled_hands import doubled_plan
from croupier.blackjack.solvers.hands import hand_space
from croupier.cards import point_class_of_rank
from tests.blackjack.rule_sets import option_values, rule_sets, solvable
from tests.blackjack.solvers.brute_force import (
    BruteForce,
    Cards,
    OutOfCards,
    Player,
    Shoe,
    Shown,
    classes_of,
    draws,
    legal_actions,
    random_shoe,
    real_cards,
    shoe_of,
)

#: As many as it takes to see every value of every option.
EXAMPLES = 36


class ChartPlayer(BruteForce):
    """Deals every round to a player who follows a chart with the first two cards."""

    chart: Chart

    def round_value(self, left: Shoe, hand: Cards, up: int) -> float:
        """Return what the chart's move with the first two cards is worth."""
        if self.rules.hole_card == "open":
            return sum(
                chance * self.open_round_value(after, hand, up, hole) for hole, chance, after in draws(left)
            )
        return self.action_value(left, hand, up, self.first_action(hand, up, point_class_of_rank(up)))

    def open_actions(self, hand: Cards, up: int, hole: int) -> list[str]:
        """Return the chart's move with the first two cards."""
        return [self.first_action(hand, up, column_of(*classes_of((up, hole))))]

    def first_action(self, hand: Cards, up: int, column: int) -> str:
        moves = [Move(name) for name in legal_actions(self, hand, up)]
        first, second = classes_of(hand)
        return first_move(self.chart, first, second, column, Allowed.of(*moves), self.rules).value

    def value(self) -> float:
        """Return the expected result of a round."""
        total = 0.0
        for first, first_chance, after_first in draws(self.shoe):
            for up, up_chance, after_up in draws(after_first):
                for second, second_chance, left in draws(after_up):
                    chance = first_chance * up_chance * second_chance
                    total += chance * self.round_value(left, (first, second), up)
        return total


def column_shown(shown: Shown) -> int:
    return shown if isinstance(shown, int) else column_of(*shown)


class LaterDecisions(dict[tuple[Shown, Cards], str]):
    """What a chart does with a hand after the first decision (no split, and surrender only where it is allowed at any time), worked out when it is asked for."""

    def __init__(self, chart: Chart, rules: BlackjackRules, *, may_double: bool) -> None:
        self._chart, self._rules, self._may_double = chart, rules, may_double

    def __missing__(self, key: tuple[Shown, Cards]) -> str:
        shown, classes = key
        is_long = len(classes) > 2 and not self._rules.double_any_cards
        may = Allowed.HIT | Allowed.DOUBLE if self._may_double and not is_long else Allowed.HIT
        if self._rules.surrender_any_cards and self._rules.surrender != "none":
            may |= Allowed.SURRENDER
        self[key] = later_move(self._chart, self._rules, classes, column_shown(shown), may)
        return self[key]


def later_decisions(chart: Chart, rules: BlackjackRules) -> Player:
    return Player(
        {},
        LaterDecisions(chart, rules, may_double=True),
        LaterDecisions(chart, rules, may_double=False),
        PlannedDecisions(rules),
    )


class PlannedDecisions(dict[tuple[int, Shown, Cards], str]):
    """What players of a chart do with doubled hands, worked out when it is asked for."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._plan = doubled_plan(rules)

    def get(self, key: tuple[int, Shown, Cards], default: str | None = None) -> str:  # type: ignore[override]
        doubles, shown, classes = key
        place = hand_space().find(classes)
        hand = int(hand_space().total[place]) + 32 * int(hand_space().is_soft[place])
        return str(MOVES[self._plan[doubles - 1, hand, column_shown(shown)]].value)


def later_move(chart: Chart, rules: BlackjackRules, classes: Cards, column: int, allowed: Allowed) -> str:
    if len(classes) == 2:
        return first_move(chart, classes[0], classes[1], column, allowed, rules).value
    place = hand_space().find(classes)
    row = ROWS[row_of_hand(int(hand_space().total[place]), bool(hand_space().is_soft[place]))]
    return (move_of(chart[row, chart.columns[column]], allowed, rules) or Move.STAND).value


def wild_chart(source: random.Random, rules: BlackjackRules) -> Chart:
    """Draw any code for every cell; on totals, none that means nothing there."""

    def code(row: Row, up_card: str) -> Code:
        for_pairs_only = (Code.SPLIT, Code.SURRENDER_OR_SPLIT)
        return source.choice([code for code in Code if row.name in PAIR_ROWS or code not in for_pairs_only])

    return Chart.from_rule(code, columns_for(rules))


def examples() -> Iterator[tuple[BlackjackRules, str, Chart, float]]:
    """Deal rule sets, shoes and charts, with the value of every round dealt, where none runs out of cards."""
    for number, dealt in enumerate(rule_sets("chart value", decks=1)):
        source = random.Random(f"chart value {number}")
        rules, cards = solvable(dealt), random_shoe(source, largest=12)
        chart = wild_chart(source, rules)
        brute = ChartPlayer(rules, real_cards(shoe_of(cards)), later_decisions(chart, rules))
        brute.chart = chart
        try:
            value = brute.value()
        except OutOfCards:
            continue
        yield rules, cards, chart, value


def test_every_round_dealt_by_a_chart_has_the_exact_value_under_every_option() -> None:
    seen: dict[str, set[object]] = {name: set() for name in option_values()}
    for rules, cards, chart, dealt in islice(examples(), EXAMPLES):
        exact = chart_value(rules, chart, shoe_of(cards))
        assert exact == pytest.approx(dealt, abs=1e-12), f"{cards} at {rules}"
        for name, used in seen.items():
            used.add(getattr(rules, name))
    for name, values in option_values().items():
        if name != "decks":  # the shoe is given card by card
            assert seen[name] == set(values), name
