"""The end-game suite: made from its seed, legal positions, and values that a second solver, written apart, confirms."""

from collections.abc import Callable
from functools import cache
from itertools import combinations, islice

import pytest

from croupier.durak.arena.endgame_suite import EndgamePosition, made_suite, read_suite, try_engine
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.engine.actions import legal_actions
from croupier.durak.engine.phases import Phase
from croupier.durak.players.endgame import Outcome

Hand = frozenset[int]
SUITE = read_suite()

#: Positions that the plain recursion solves in a moment.
SMALL = [
    position for position in SUITE if len(position.hand) + len(position.enemy) + len(position.table) <= 8
]


class PlainSolver:
    """The end of a game with sets of cards and recursion: no bounds, no order of moves. Values are the attacker's."""

    def __init__(self, trump_suit: int) -> None:
        self._trump_suit = trump_suit
        self.attack_value = cache(self._attack_value)
        self.defence_value = cache(self._defence_value)

    def _beats(self, card: int, other: int) -> bool:
        return card > other if card % 4 == other % 4 else card % 4 == self._trump_suit

    def played(self, attack: Hand, defend: Hand, table: Hand, card: int) -> int:
        """Return the value after the attacker has played a card."""
        rest = attack - {card}
        if not rest and not (len(defend) == 1 and self._beats(min(defend), card)):
            return 1
        return self.defence_value(rest, defend, table | {card}, card)

    def beaten(self, attack: Hand, defend: Hand, table: Hand, card: int) -> int:
        """Return the value after the defender has beaten with a card."""
        rest = defend - {card}
        if not rest:
            return -1 if attack else 0
        return self.attack_value(attack, rest, table | {card})

    def done(self, attack: Hand, defend: Hand) -> int:
        return -self.attack_value(defend, attack, frozenset())

    def taken(self, attack: Hand, defend: Hand, table: Hand) -> int:
        """Return the value after a take: the best that the attacker can throw in."""
        if not attack:
            return 1
        ranks = {card // 4 for card in table}
        fitting = [card for card in attack if card // 4 in ranks]
        values = []
        for size in range(min(len(fitting), len(defend) - 1) + 1):
            for thrown in map(frozenset, combinations(fitting, size)):
                rest = attack - thrown
                values.append(self.attack_value(rest, defend | table | thrown, frozenset()) if rest else 1)
        return max(values)

    def _attack_value(self, attack: Hand, defend: Hand, table: Hand) -> int:
        ranks = {card // 4 for card in table}
        cards = [card for card in attack if not table or card // 4 in ranks]
        values = [self.played(attack, defend, table, card) for card in cards]
        return max(values + ([self.done(attack, defend)] if table else []))

    def _defence_value(self, attack: Hand, defend: Hand, table: Hand, last: int) -> int:
        beating = [card for card in defend if self._beats(card, last)]
        values = [self.beaten(attack, defend, table, card) for card in beating]
        return min([*values, self.taken(attack, defend, table)])


def plain_values(position: EndgamePosition) -> dict[tuple[int, ...], int]:
    """Return what each answer is worth for the player in turn."""
    solver = PlainSolver(position.trump % 4)
    own, other, table = map(frozenset, (position.hand, position.enemy, position.table))
    values = {}
    for action in legal_actions(position.state):
        if position.phase is Phase.ATTACK:
            played = [solver.played(own, other, table, card) for card in action.cards]
            values[action.cards] = played[0] if played else solver.done(own, other)
        else:
            beaten = [solver.beaten(other, own, table, card) for card in action.cards]
            values[action.cards] = -(beaten[0] if beaten else solver.taken(other, own, table))
    return values


@pytest.mark.verify
def test_the_file_is_made_from_its_seed() -> None:
    assert tuple(islice(made_suite(), 3)) == SUITE[:3]


def test_a_second_solver_confirms_the_values_and_the_answers_that_keep_them() -> None:
    assert len(SMALL) == 9
    for position in SMALL:
        values = plain_values(position)
        best = max(values.values())
        assert position.value is Outcome(best)
        assert set(position.keeping) == {cards for cards, value in values.items() if value == best}


def test_every_position_has_a_choice_that_matters() -> None:
    for position in SUITE:
        assert 0 < len(position.keeping) < len(legal_actions(position.state))
        assert EndgamePosition.from_line(position.to_line()) == position


def test_a_broken_engine_keeps_nothing_and_the_next_position_is_asked(
    animal: Callable[..., EngineSpec],
) -> None:
    told = list(try_engine(animal("lower_case"), Limits(120, 120), positions=SUITE[:2]))
    assert [answered.is_kept for answered in told] == [False, False]
    assert all("lower case" in answered.answer for answered in told)
