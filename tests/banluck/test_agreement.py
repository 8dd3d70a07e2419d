"""Engine, kernel and solvers read the same rules: compared on rule sets that hold every value of every option."""

import numpy as np
import pytest

from croupier.banluck.analysis import simulation_kernel as kernel
from croupier.banluck.analysis.outcomes import outcome_distribution
from croupier.banluck.analysis.simulator import OUTCOME_OF_ROW, simulate_strategies
from croupier.banluck.engine import BanluckRules, DealtHand
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.settlement import Settlement
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.cards import Shoe, format_cards, rank_of
from croupier.numerics.streams import RandomStream
from tests.banluck.rule_sets import COVERING, VALUES

HANDS = 400
SIMULATED = 1_000_000


def strategies(rules: BanluckRules, seed: int) -> tuple[PlayerStrategy, DealerStrategy]:
    """Return pure strategies that hit and draw often: whoever plays by them needs no luck."""
    source = np.random.default_rng(seed)

    def often(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return (source.random(shape) < 0.6).astype(np.float64)

    draw = often(len(MULTISETS), 4)
    if rules.reveal == "none":
        draw[:] = draw[:, :1]
    return PlayerStrategy(often(len(MULTISETS))), DealerStrategy(draw, often(len(MULTISETS), 3))


def deck_order(source: np.random.Generator) -> list[int]:
    """Shuffle a deck; three times in four with ranks on top that make the rare hands."""
    deck = [int(card) for card in source.permutation(52)]
    favoured = ((), (12, 8, 11), (5, 8, 4), (0, 1, 2, 12))[source.integers(4)]
    return sorted(deck, key=lambda card: rank_of(card) not in favoured)


def by_the_engine(
    order: list[int], rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy
) -> Settlement | None:
    """Play a hand at the engine's table; ``order`` is the player's two cards, the dealer's two, then as they are drawn."""
    dealt = [order[0], order[2], order[1], order[3], *order[4:]]
    hand = DealtHand.opened(rules, Shoe.stacked(dealt, seed=0))
    while not hand.state.is_over:
        hand = hand.act(choose_action(hand.state, player, dealer, RandomStream(0)))
    return hand.state.seats[0].settlement


def by_the_kernel(order: list[int], setup: kernel.Setup) -> Settlement:
    row, price = kernel.play_hand(np.array(order, dtype=np.int8), *setup, np.ones(4, dtype=np.uint64))
    units = setup.options.prices[abs(price)]
    return Settlement(-units if price < 0 else units, OUTCOME_OF_ROW[row])


def test_every_value_of_every_option_is_compared() -> None:
    assert set(VALUES) == set(BanluckRules.model_fields)
    for option in BanluckRules.options():
        seen = {getattr(rules, option.name) for rules in COVERING}
        assert seen == set(VALUES[option.name])
        assert seen >= set(option.choices)
        assert len(seen) > 1, option.name


@pytest.mark.parametrize("place", range(len(COVERING)))
def test_the_kernel_plays_every_hand_as_the_engine_does(place: int) -> None:
    rules = COVERING[place]
    player, dealer = strategies(rules, place)
    setup = kernel.setup_of(rules, player, dealer)
    source = np.random.default_rng((place, 1))
    for _ in range(HANDS):
        order = deck_order(source)
        where = f"{format_cards(order[:10])} under {rules.changes()}"
        assert by_the_kernel(order, setup) == by_the_engine(order, rules, player, dealer), where


@pytest.mark.parametrize("place", range(len(COVERING)))
def test_the_solvers_expect_what_the_simulator_counts(place: int) -> None:
    """Value by the payoff tables and by forward probabilities; every outcome within 4.5 standard errors of the count."""
    rules = COVERING[place]
    player, dealer = strategies(rules, place)
    exact = outcome_distribution(player, dealer, rules)
    assert certify(player, dealer, rules).value == pytest.approx(exact.mean, abs=1e-12)
    counted = simulate_strategies(player, dealer, rules, hands=SIMULATED, seed=place)
    assert abs(counted.value - exact.mean) < 4.5 * counted.stderr
    expected = exact.by_outcome()
    assert {row.outcome for row in counted.outcomes} <= set(expected)
    shares = {row.outcome: row.probability for row in counted.outcomes}
    for outcome, probability in expected.items():
        error = (probability * (1 - probability) / SIMULATED) ** 0.5
        assert abs(shares.get(outcome, 0.0) - probability) < 4.5 * error, (outcome, rules.changes())
