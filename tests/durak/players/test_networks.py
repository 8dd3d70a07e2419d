"""The policy and the value network of the compiled search against a second reading in NumPy, in whole random games."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.cards import shuffle
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import LOWEST_CARD, PACK, suit_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players import policy_network_kernel, value_kernel
from croupier.durak.players.hidden_cards_kernel import CHEAP, FREE
from croupier.durak.players.known_cards_kernel import KnownCards
from croupier.durak.players.network_shapes import (
    PLACES,
    CounterShape,
    Layers,
    PolicyShape,
    ValueShape,
    layers_of,
)
from croupier.durak.players.policy_network_kernel import (
    MEMORY,
    drawn_move,
    likeliest_choices,
    move_chances,
    write_numbers,
)
from croupier.durak.players.question import card_bits
from croupier.durak.players.review import evidence_of
from croupier.durak.players.value_kernel import HIDDEN, expected_score, expected_score_against_cheap
from croupier.numerics.half_words import rounded
from croupier.numerics.streams import RandomStream
from tests.durak.boards import position_of, stock_of

RULES = DurakRules()
MODELS = {
    FREE: policy_network_kernel.WEIGHTS_FILE,
    CHEAP: policy_network_kernel.COUNTER_WEIGHTS_FILE,
}
VALUE = layers_of(np.load(value_kernel.WEIGHTS_FILE).astype(np.float64), ValueShape)
COUNTER_VALUE = layers_of(np.load(value_kernel.COUNTER_WEIGHTS_FILE).astype(np.float64), CounterShape)
ASKED = (Phase.ATTACK, Phase.DEFEND, Phase.THROW_IN)
KINDS = {Phase.DEFEND: 2, Phase.THROW_IN: 3}


class Moment(NamedTuple):
    """A choice in a game: what its player sees, and which of its cards the other player has seen it take."""

    state: GameState
    seen: Observation
    taken: frozenset[int]


def moments(games: int) -> Iterator[Moment]:
    """Yield the choices of random games."""
    for seed in range(games):
        stream, deck = RandomStream((seed, 7)), shuffle(PACK, (seed, 8))
        state = start(RULES, deck, leader=seed % 2)
        while (seat := state.to_act) is not None:
            yield Moment(state, observe(state, seat), evidence_of(state, seat).taken)
            legal = legal_actions(state)
            state = act(state, legal[stream.below(len(legal))])


MOMENTS = list(moments(25))


def outputs(layers: Layers, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
    first = np.maximum(inputs @ layers.first, 0)
    numbers: NDArray[np.float64] = (
        np.maximum(first @ layers.second + layers.second_biases, 0) @ layers.output + layers.output_biases
    )
    return numbers


def policy_inputs(moment: Moment) -> NDArray[np.float64]:
    """What the policy should be shown, from the readable game."""
    seen, suit = moment.seen, suit_of(moment.seen.trump)
    other = set(seen.known_enemy) | (set(seen.unseen) if seen.deck_count <= 1 else set())
    own = set(seen.hand) if seen.deck_count <= 1 else moment.taken & set(seen.hand)
    open_card = seen.table[-1:] if len(seen.table) % 2 else ()
    inputs = np.zeros(PolicyShape.INPUTS)
    sets = (seen.hand, seen.table, open_card, seen.discarded, other, own)
    for number, cards in enumerate(sets):
        inputs[[number * PLACES + ((card - LOWEST_CARD) ^ suit) for card in cards]] = 1
    kind = KINDS.get(seen.phase, int(bool(seen.table)))
    room = seen.throw_in_limit if seen.phase is Phase.THROW_IN else 0
    inputs[PolicyShape.STOCK + seen.deck_count] = 1
    inputs[PolicyShape.COUNT + min(seen.enemy_count, 15)] = 1
    inputs[PolicyShape.KIND + kind] = 1
    inputs[PolicyShape.RANK + (seen.trump - LOWEST_CARD) // 4] = 1
    inputs[PolicyShape.ROOM + min(room, 7)] = 1
    return inputs


def arguments(moment: Moment) -> tuple[KnownCards, int]:
    """What the compiled policy is told besides the position and the phase."""
    seen = moment.seen
    taken = card_bits(moment.taken), card_bits(seen.known_enemy)
    first, second = taken if moment.state.to_act == 0 else taken[::-1]
    return KnownCards(card_bits(seen.discarded), first, second), seen.trump - LOWEST_CARD


def policy_of(model: int) -> Layers:
    """The weights of a policy; the compiled one reads its second layer as short numbers."""
    weights = layers_of(np.load(MODELS[model]).astype(np.float64), PolicyShape)
    return weights._replace(second=rounded(weights.second).astype(np.float64))


@pytest.mark.parametrize("model", MODELS)
def test_the_compiled_policies_see_and_compute_what_they_should(model: int) -> None:
    assert {moment.seen.phase for moment in MOMENTS} == set(ASKED)
    policy = policy_of(model)
    memory = np.zeros(MEMORY, dtype=np.float32)
    for moment in MOMENTS:
        position = position_of(moment.state)
        write_numbers(model, position, board.phase_of(position), 0, *arguments(moment), memory)
        numbers = memory[PolicyShape.FIRST_UNITS + PolicyShape.SECOND_UNITS :][: PolicyShape.OUTPUTS]
        assert numbers == pytest.approx(outputs(policy, policy_inputs(moment)), abs=1e-3)


def chances_of(moment: Moment, model: int = FREE) -> dict[int, float]:
    """The probability of every move."""
    position, memory = position_of(moment.state), np.zeros(MEMORY, dtype=np.float32)
    moves, chances = np.zeros(600, dtype=np.int64), np.zeros(600)
    size = move_chances(model, position, board.phase_of(position), *arguments(moment), memory, moves, chances)
    return {int(move): float(np.exp(chance)) for move, chance in zip(moves[:size], chances, strict=False)}


@pytest.mark.parametrize("model", MODELS)
def test_the_probabilities_of_all_moves_add_up_to_one(model: int) -> None:
    sizes = Counter[int]()
    for moment in MOMENTS:
        chances = chances_of(moment, model)
        assert sum(chances.values()) == pytest.approx(1, abs=1e-5)
        sizes[max(move.bit_count() for move in chances)] += 1
    assert {2, 3} <= sizes.keys()  # several cards could be thrown in


def test_the_likeliest_choices_are_those_of_the_highest_probabilities() -> None:
    memory, choices, sizes = (
        np.zeros(MEMORY, dtype=np.float32),
        np.zeros(PolicyShape.OUTPUTS, np.int64),
        set(),
    )
    for moment in MOMENTS:
        position = position_of(moment.state)
        phase = board.phase_of(position)
        if phase == board.THROW_IN:
            continue
        size = likeliest_choices(FREE, position, phase, *arguments(moment), 2.0, memory, choices)
        chances = chances_of(moment)
        highest = max(chances.values())
        expected = {move for move, chance in chances.items() if chance > highest * np.exp(-2.0)}
        assert {*choices[:size].tolist()} == expected
        assert chances[int(choices[0])] == highest
        sizes.add(size)
    assert {1, 2, 3} <= sizes


def test_moves_are_drawn_as_often_as_their_probabilities_say() -> None:
    stream, memory = np.array([5], dtype=np.uint64), np.zeros(MEMORY, dtype=np.float32)
    undecided = [moment for moment in MOMENTS if max(chances_of(moment).values()) < 0.8]
    kinds = [next(moment for moment in undecided if moment.seen.phase is phase) for phase in ASKED]
    draws = 4000
    for moment in kinds:
        position, expected = position_of(moment.state), chances_of(moment)
        phase = board.phase_of(position)
        found = Counter(
            drawn_move(FREE, position, phase, *arguments(moment), memory, stream) for _ in range(draws)
        )
        assert found.keys() <= expected.keys()
        for move, chance in expected.items():
            assert found[move] / draws == pytest.approx(chance, abs=4 * np.sqrt(chance / draws) + 1e-3)


def test_the_compiled_values_see_and_compute_what_they_should() -> None:
    hidden, compared = np.zeros(HIDDEN, dtype=np.float32), 0
    for state, _, _ in MOMENTS:
        if state.table:
            continue
        suit, inputs = state.trump_suit, np.zeros(ValueShape.INPUTS)
        for number, seat in enumerate((state.attacker, state.defender)):
            places = [(card - LOWEST_CARD) ^ suit for card in state.hands[seat]]
            inputs[[number * PLACES + place for place in places]] = 1
        for place, card in enumerate(state.deck[state.drawn :]):
            inputs[ValueShape.STOCK + place * PLACES + ((card - LOWEST_CARD) ^ suit)] = 1
        inputs[ValueShape.SIZE + state.deck_count] = 1
        position, stock = position_of(state), stock_of(state.deck)
        expected = (1 + np.tanh(outputs(VALUE, inputs)[0])) / 2
        assert expected_score(position, stock, hidden) == pytest.approx(expected, abs=1e-4)
        expected = (1 + np.tanh(outputs(COUNTER_VALUE, inputs)[state.attacker])) / 2
        assert expected_score_against_cheap(position, stock, hidden) == pytest.approx(expected, abs=1e-4)
        compared += 1
    assert compared > 200


def test_the_value_knows_who_holds_the_better_cards() -> None:
    """The attacker holds the six highest cards of a deal, or the six lowest."""
    hidden = np.zeros(HIDDEN, dtype=np.float32)
    high, low = [4 * rank for rank in range(3, 9)], [1, 2, 3, 5, 6, 7]
    rest = [card for card in range(36) if card not in {*high, *low}]
    for attacker, defender, is_better in ((high, low, True), (low, high, False)):
        stock = np.array([*attacker, *defender, *rest], dtype=np.int8)
        stock[35], stock[12] = stock[12], stock[35]  # a trump lies under the stock
        position = board.started(stock, 0, 36, 36)
        assert (expected_score(position, stock, hidden) > 0.5) == is_better
