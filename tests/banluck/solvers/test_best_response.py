"""Exact best responses against second methods: backward induction over hands for either side."""

from collections.abc import Callable

import numpy as np
import pytest

from croupier.banluck.analysis.outcomes import final_hands, outcome_distribution
from croupier.banluck.engine import BANLUCK, BanluckRules, HandClass
from croupier.banluck.engine.multisets import (
    MULTISETS,
    PACK_COUNTS,
    multiset_index,
    multiset_of,
    parse_multiset,
)
from croupier.banluck.engine.permissions import may_surrender
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.best_response import best_dealer, best_player, certify
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.hand_table import (
    TWO_CARD_HANDS,
    Floats,
    deals,
    hand_table,
    two_card_probabilities,
)
from croupier.banluck.solvers.plans import dealer_policy, plan_of, player_policy
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy
from croupier.cards import DECK_SIZE, TEN_CLASS, parse_cards
from tests.long_cases import cases

EXACT = 1e-12

PRESETS = {preset.name: preset.rules for preset in BANLUCK.presets}
SOME = cases([*PRESETS, *range(100, 103)], long=[*[*PRESETS][2:], 101, 102])

RandomRules = Callable[[int], BanluckRules]
RandomPlayer = Callable[[int], PlayerStrategy]
RandomDealer = Callable[[int, BanluckRules], DealerStrategy]


@pytest.fixture(params=SOME)
def rules(request: pytest.FixtureRequest, random_rules: RandomRules) -> BanluckRules:
    """Every preset, and some combinations of options."""
    return PRESETS[request.param] if isinstance(request.param, str) else random_rules(request.param)


def order_probabilities(held: Floats) -> Floats:
    """Return how likely the cards of each multiset come next in one given order, from a pack without those held."""
    left = np.array(PACK_COUNTS) - held
    most = max(PACK_COUNTS)
    ways = np.cumprod([np.ones(len(left)), *(np.maximum(left - taken, 0) for taken in range(most))], axis=0)
    orders = np.cumprod([1.0, *(float(left.sum() - taken) for taken in range(MAX_CARDS))])
    probabilities = np.array([1 / orders[count] for count in range(MAX_CARDS + 1)])[deals().card_count]
    for point, counts in enumerate(deals().counts.T):
        probabilities *= ways[counts, point]
    return probabilities


def least_by_backward_induction(player: PlayerStrategy, rules: BanluckRules) -> float:
    """Hold a player down hand by hand: the dealer's counterpart of the baseline.

    It goes forward through the player's hands, then backward through the dealer's, and knows nothing of plans.
    """
    table = hand_table(rules)
    start = two_card_probabilities(np.zeros(len(PACK_COUNTS), dtype=np.int64))
    reach = np.zeros(len(MULTISETS))
    reach[:TWO_CARD_HANDS] = start * ~table.is_ban[:TWO_CARD_HANDS]
    #: Player's units, weighted, if the dealer stops at each multiset, one order of it, by the player's card count.
    stop = np.zeros((len(PLAYER_CARD_COUNTS), len(MULTISETS)))
    for hand, probability in final_hands(reach, player, rules):
        column = PLAYER_CARD_COUNTS.index(len(MULTISETS[hand]))
        units = table.payoff[table.code[hand], table.code]
        stop[column] += probability * order_probabilities(deals().counts[hand]) * units
    played = np.zeros(TWO_CARD_HANDS)
    groups = [[0, 1, 2, 3]] if rules.reveal == "none" else [[0], [1], [2], [3]]
    for group in groups:
        opens = rules.reveal == "mandatory" and PLAYER_CARD_COUNTS[group[0]] >= rules.reveal_from
        played += deals().orders * _dealer_minimum_by_hand(stop[group].sum(axis=0), rules, opens)
    #: The same where a Ban hand settles it, by what the player shows.
    shown = np.zeros((3, TWO_CARD_HANDS))
    for hand in range(TWO_CARD_HANDS):
        units = table.payoff[table.code[hand], table.code[:TWO_CARD_HANDS]]
        settled = start[hand] * two_card_probabilities(deals().counts[hand]) * units
        if table.is_ban[hand]:
            shown[1 if table.values[hand].hand_class is HandClass.BAN_LUCK else 2] += settled
        else:
            shown[0] += settled * table.is_ban[:TWO_CARD_HANDS]
    shown[0] += played * ~table.is_ban[:TWO_CARD_HANDS]
    fifteens = [multiset_index(parse_multiset(text)) for text in ("T-5", "9-6", "8-7")]
    total = shown.sum() - shown[:, fifteens].sum()
    match rules.surrender:
        case "none":
            return float(total + shown[:, fifteens].sum())
        case "blind":
            return float(total + np.minimum(shown[:, fifteens].sum(axis=0), 0).sum())
        case "after_specials":
            return float(total + np.minimum(shown[:, fifteens], 0).sum())


def _dealer_minimum_by_hand(stop: Floats, rules: BanluckRules, opens: bool) -> Floats:
    worth = np.zeros(len(MULTISETS))
    for hand in range(len(MULTISETS) - 1, -1, -1):
        value = hand_table(rules).values[hand]
        worth[hand] = stop[hand]
        if value.is_bust or value.is_ban or value.card_count == MAX_CARDS:
            continue
        after = deals().child[hand]
        go = worth[after[after >= 0]].sum()
        if value.total < rules.dealer_minimum:
            worth[hand] = go
        elif value.total <= rules.dealer_choice_max and not opens:
            worth[hand] = min(stop[hand], go)
    return worth[:TWO_CARD_HANDS]


def test_the_probability_of_an_order_is_that_of_dealing_it() -> None:
    held = deals().counts[multiset_index(parse_multiset("T-T-2"))]
    probability = order_probabilities(held)[multiset_index(parse_multiset("T-2-2"))]
    assert probability == pytest.approx(3 / 49 * 2 / 48 * 14 / 47, rel=EXACT)
    assert order_probabilities(held)[multiset_index(parse_multiset("2-2-2-2"))] == 0
    assert PACK_COUNTS[TEN_CLASS] == 16
    assert sum(PACK_COUNTS) == DECK_SIZE


def test_the_three_hard_fifteens_are_the_hands_that_can_be_surrendered() -> None:
    for cards in ("TC 5D", "9C 6D", "8C 7D"):
        assert may_surrender(multiset_of(parse_cards(cards)), BanluckRules())


def test_the_baseline_is_the_best_response_to_the_classic_dealer(rules: BanluckRules) -> None:
    baseline = solve_baseline(rules)
    value, player = best_player(classic_dealer(rules), rules)
    assert baseline.value == pytest.approx(value, abs=EXACT)
    for best in (player, baseline.player):
        assert certify(best, classic_dealer(rules), rules).value == pytest.approx(value, abs=EXACT)


def test_the_baseline_is_the_best_response_to_a_classic_dealer_who_never_surrenders() -> None:
    dealer = classic_dealer(BanluckRules(), surrenders=False)
    value, _ = best_player(dealer, BanluckRules())
    assert solve_baseline(BanluckRules(), dealer).value == pytest.approx(value, abs=EXACT)
    assert value > solve_baseline(BanluckRules()).value


def test_the_baseline_is_the_best_response_to_a_dealer_who_mixes(
    rules: BanluckRules, random_dealer: RandomDealer
) -> None:
    dealer = random_dealer(1, rules)
    value, player = best_player(dealer, rules)
    assert solve_baseline(rules, dealer).value == pytest.approx(value, abs=EXACT)
    assert certify(player, dealer, rules).value == pytest.approx(value, abs=EXACT)
    assert certify(player, dealer, rules).upper == pytest.approx(value, abs=EXACT)


def test_the_baseline_is_the_best_response_to_an_equilibrium_dealer(rules: BanluckRules) -> None:
    solution = solve_equilibrium(rules, tolerance=1e-6)
    assert solve_baseline(rules, solution.dealer).value == pytest.approx(solution.upper, abs=EXACT)
    assert best_player(solution.dealer, rules)[0] == pytest.approx(solution.upper, abs=EXACT)


def test_the_best_dealer_is_as_good_as_backward_induction_over_the_dealers_hands(
    rules: BanluckRules, random_player: RandomPlayer
) -> None:
    player = random_player(2)
    value, dealer = best_dealer(player, rules)
    assert least_by_backward_induction(player, rules) == pytest.approx(value, abs=EXACT)
    assert outcome_distribution(player, dealer, rules).mean == pytest.approx(value, abs=EXACT)
    assert certify(player, dealer, rules).value == pytest.approx(value, abs=EXACT)
    assert certify(player, dealer, rules).lower == pytest.approx(value, abs=EXACT)


def test_the_best_dealer_against_rules_of_thumb_is_as_good_as_backward_induction(rules: BanluckRules) -> None:
    player = stand_on(rules.player_minimum, rules)
    value, dealer = best_dealer(player, rules)
    assert least_by_backward_induction(player, rules) == pytest.approx(value, abs=EXACT)
    assert outcome_distribution(player, dealer, rules).mean == pytest.approx(value, abs=EXACT)


def test_no_single_change_improves_the_best_dealer(rules: BanluckRules, random_player: RandomPlayer) -> None:
    game = sequence_game(rules)
    player = random_player(5)
    value, dealer = best_dealer(player, rules)
    costs = game.dealer_gradient(plan_of(game.player, player_policy(game, player)))
    policy = dealer_policy(game, dealer)
    assert costs @ plan_of(game.dealer, policy) == pytest.approx(value, abs=EXACT)
    for node in range(game.dealer.node_count):
        changed = policy.copy()
        changed[node] = policy[node, ::-1]
        assert costs @ plan_of(game.dealer, changed) >= value - EXACT


def test_no_single_change_improves_the_best_player(rules: BanluckRules, random_dealer: RandomDealer) -> None:
    game = sequence_game(rules)
    dealer = random_dealer(6, rules)
    value, player = best_player(dealer, rules)
    gains = game.player_gradient(plan_of(game.dealer, dealer_policy(game, dealer)))
    policy = player_policy(game, player)
    assert gains @ plan_of(game.player, policy) == pytest.approx(value, abs=EXACT)
    for node in np.flatnonzero(game.player.legal.all(axis=1)):
        changed = policy.copy()
        changed[node] = policy[node, ::-1]
        assert gains @ plan_of(game.player, changed) <= value + EXACT


@pytest.mark.parametrize("number", cases(range(200, 208), long=range(203, 208)))
def test_what_two_strategies_are_worth_is_the_mean_of_how_their_hands_end(
    number: int, random_rules: RandomRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    rules = random_rules(number)
    player, dealer = random_player(number), random_dealer(number, rules)
    certificate = certify(player, dealer, rules)
    assert certificate.value == pytest.approx(outcome_distribution(player, dealer, rules).mean, abs=EXACT)
    assert certificate.lower - EXACT <= certificate.value < certificate.upper
    assert certificate.exploitability == certificate.upper - certificate.lower


def test_the_bounds_are_those_of_the_two_best_responses(
    rules: BanluckRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    player, dealer = random_player(9), random_dealer(9, rules)
    certificate = certify(player, dealer, rules)
    assert certificate.lower == best_dealer(player, rules)[0]
    assert certificate.upper == best_player(dealer, rules)[0]


def test_a_dealer_who_looks_at_the_card_count_is_refused_where_the_rules_forbid_it() -> None:
    blindfolded = BanluckRules.create({"reveal": "none"})
    with pytest.raises(ValueError, match='uses the player\'s card count, which reveal = "none" forbids'):
        best_player(classic_dealer(BanluckRules()), blindfolded)
