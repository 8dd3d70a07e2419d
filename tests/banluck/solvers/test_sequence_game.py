"""The game in sequence form: its probabilities, its plans, and its results against the engine, card by card."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest

from croupier.banluck.analysis.outcomes import final_hands, outcome_distribution
from croupier.banluck.engine import (
    BANLUCK,
    Action,
    ActionKind,
    BanluckRules,
    GameState,
    act,
    cards_needed,
    deal,
    legal_actions,
    new_hand,
)
from croupier.banluck.engine.multisets import (
    MULTISETS,
    PACK_COUNTS,
    Multiset,
    multiset_index,
    multiset_of,
    parse_multiset,
)
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.dealer_play import DealerPlay
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.hand_table import (
    TWO_CARD_HANDS,
    Floats,
    deals,
    hand_table,
    joint_probability,
    two_card_probabilities,
)
from croupier.banluck.solvers.payoff_kernel import GO, STOP, fill_weights
from croupier.banluck.solvers.plans import dealer_policy, plan_of, player_policy
from croupier.banluck.solvers.sequence_game import ROOT, DecisionGraph, SequenceGame, sequence_game
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.cards import DECK_SIZE, available, full_deck, parse_cards, point_class, without
from tests.banluck.rule_sets import COVERING
from tests.long_cases import cases

EXACT = 1e-12
PRESETS = {preset.name: preset.rules for preset in BANLUCK.presets}

RandomRules = Callable[[int], BanluckRules]
RandomPlayer = Callable[[int], PlayerStrategy]
RandomDealer = Callable[[int, BanluckRules], DealerStrategy]


# Probabilities


def pair_weights(hand: int) -> Floats:
    """Return how likely the cards of a hand and of each other multiset come, in one given order each."""
    table = deals()
    weights = np.empty(len(MULTISETS))
    pack = np.array(PACK_COUNTS)
    fill_weights(weights, hand, table.counts, table.card_count, table.parent, table.last_class, pack)
    return weights


def order_counts() -> Floats:
    """Return in how many orders of point classes the cards of each multiset can come."""
    factorials = [math.factorial(count) for count in range(6)]
    return np.array(
        [
            math.factorial(len(hand)) / math.prod(factorials[hand.count(c)] for c in set(hand))
            for hand in MULTISETS
        ]
    )


def share_of_deals(first: Multiset, second: Multiset) -> float:
    """Count the ways to take two hands out of a real deck of 52 cards, one after the other."""
    first_hands, second_hands = _hands_of_cards()[first], _hands_of_cards()[second]
    pairs = sum(one.isdisjoint(other) for one in first_hands for other in second_hands)
    left = DECK_SIZE - len(first)
    return pairs / (math.comb(DECK_SIZE, len(first)) * math.comb(left, len(second)))


@lru_cache(maxsize=1)
def _hands_of_cards() -> dict[Multiset, list[frozenset[int]]]:
    """Sort all hands of two and of three real cards by their point classes."""
    hands: dict[Multiset, list[frozenset[int]]] = {}
    for size in (2, 3):
        for cards in combinations(range(DECK_SIZE), size):
            hands.setdefault(multiset_of(cards), []).append(frozenset(cards))
    return hands


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A-A", "A-A"),
        ("A-A", "A-T"),
        ("T-6", "T-6"),
        ("T-T", "T-T"),
        ("9-6", "8-7"),
        ("7-7-7", "7-2"),
        ("7-7", "7-7-2"),
        ("7-7-7", "7-7"),
        ("5-3-2", "T-3-2"),
        ("T-T-2", "A-A-A"),
    ],
)
def test_a_pair_of_hands_is_as_likely_as_a_count_over_real_cards_says(first: str, second: str) -> None:
    own, other = multiset_index(parse_multiset(first)), multiset_index(parse_multiset(second))
    orders = order_counts()[own] * order_counts()[other]
    expected = share_of_deals(MULTISETS[own], MULTISETS[other])
    assert orders * pair_weights(own)[other] == pytest.approx(expected, abs=0, rel=EXACT)
    union = deals().counts[own] + deals().counts[other]
    assert orders * joint_probability(union) == pytest.approx(expected, abs=0, rel=EXACT)


def test_all_pairs_of_hands_of_given_sizes_are_certain_together() -> None:
    orders, sizes = order_counts(), deals().card_count
    shares: dict[tuple[int, int], list[float]] = {}
    for hand in range(len(MULTISETS)):
        share = orders[hand] * orders * pair_weights(hand)
        for size in range(2, 6):
            shares.setdefault((int(sizes[hand]), size), []).append(float(share[sizes == size].sum()))
    assert len(shares) == 16
    for share_of_sizes in shares.values():
        assert math.fsum(share_of_sizes) == pytest.approx(1.0, abs=EXACT)


def test_two_cards_from_a_pack_without_a_hand_are_as_likely_as_the_pair_says() -> None:
    start = two_card_probabilities(np.zeros(len(PACK_COUNTS), dtype=np.int64))
    for hand in range(TWO_CARD_HANDS):
        pair = order_counts()[hand] * pair_weights(hand)[:TWO_CARD_HANDS] * deals().orders
        assert start[hand] * two_card_probabilities(deals().counts[hand]) == pytest.approx(pair, abs=EXACT)


# Plans


@pytest.fixture(params=[*PRESETS, *range(300, 303)])
def rules(request: pytest.FixtureRequest, random_rules: RandomRules) -> BanluckRules:
    """Every preset, and some combinations of options."""
    return PRESETS[request.param] if isinstance(request.param, str) else random_rules(request.param)


def inflows(graph: DecisionGraph, plan: Floats) -> Floats:
    """Add up what the sequences of a plan carry into each node."""
    carried = np.repeat(plan, np.diff(graph.first_link)) * graph.link_count
    inflow = np.zeros(graph.node_count)
    np.add.at(inflow, graph.link_node, carried)
    return inflow


def test_what_flows_into_a_node_flows_out_of_it(
    rules: BanluckRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    game = sequence_game(rules)
    for graph, policy in (
        (game.player, player_policy(game, random_player(0))),
        (game.dealer, dealer_policy(game, random_dealer(0, rules))),
    ):
        plan = plan_of(graph, policy)
        assert plan[ROOT] == 1
        assert plan[1:].reshape(-1, 2).sum(axis=1) == pytest.approx(inflows(graph, plan), rel=EXACT)
        assert np.all(plan >= 0)


def test_a_plan_of_the_player_ends_somewhere_with_certainty(
    rules: BanluckRules, random_player: RandomPlayer
) -> None:
    game = sequence_game(rules)
    plan = plan_of(game.player, player_policy(game, random_player(1)))
    node_of = {hand: node for node, hand in enumerate(game.player_nodes)}
    certainty = 0.0
    for hand in range(TWO_CARD_HANDS):
        if hand not in node_of:
            certainty += deals().orders[hand] * joint_probability(deals().counts[hand])
    for hand, node in node_of.items():
        certainty += plan[1 + 2 * node + STOP] * joint_probability(deals().counts[hand])
        for after in deals().child[hand].tolist():
            if after >= 0 and after not in node_of:
                certainty += plan[1 + 2 * node + GO] * joint_probability(deals().counts[after])
    assert certainty == pytest.approx(1.0, abs=EXACT)


def test_a_player_who_always_hits_comes_to_a_hand_in_all_its_orders() -> None:
    game = sequence_game(BanluckRules())
    plan = plan_of(game.player, np.tile([0.0, 1.0], (game.player.node_count, 1)))
    for text, orders in (("3-2", 2), ("2-2", 1), ("4-3-2", 6), ("3-3-2-2", 6), ("5-4-3-2", 24)):
        node = game.player_nodes.index(multiset_index(parse_multiset(text)))
        assert plan[1 + 2 * node + GO] == orders


def test_both_sides_can_only_come_to_hands_that_can_come_up(rules: BanluckRules) -> None:
    game = sequence_game(rules)
    aces = deals().counts[:, PACK_COUNTS.index(16) + 1]
    for hands in (game.player_nodes, [node.multiset for node in game.dealer_nodes]):
        for hand in hands:
            assert aces[hand] < len(MULTISETS[hand]), "two aces are settled at once, so three never come"


@pytest.mark.parametrize("number", range(300, 305))
def test_random_plans_are_worth_the_mean_of_how_their_hands_end(
    number: int, random_rules: RandomRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    rules = random_rules(number)
    game = sequence_game(rules)
    player, dealer = random_player(number), random_dealer(number, rules)
    player_plan = plan_of(game.player, player_policy(game, player))
    dealer_plan = plan_of(game.dealer, dealer_policy(game, dealer))
    mean = outcome_distribution(player, dealer, rules).mean
    assert game.value(player_plan, dealer_plan) == pytest.approx(mean, abs=EXACT)
    assert player_plan @ game.player_gradient(dealer_plan) == pytest.approx(mean, abs=EXACT)
    assert dealer_plan @ game.dealer_gradient(player_plan) == pytest.approx(mean, abs=EXACT)


def test_the_probabilities_of_all_endings_are_certain_together(
    rules: BanluckRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    """Normalising hides nothing: what is normalised adds up to 1 already."""
    player, dealer = random_player(3), DealerPlay.of(random_dealer(3, rules), rules)
    start = two_card_probabilities(np.zeros(len(PACK_COUNTS), dtype=np.int64))
    reach = np.zeros(len(MULTISETS))
    is_ban = hand_table(rules).is_ban[:TWO_CARD_HANDS]
    reach[:TWO_CARD_HANDS] = np.where(is_ban, 0.0, start)
    played = 0.0
    for hand, probability in final_hands(reach, player, rules):
        played += probability * dealer.final_hands(hand).sum()
    not_played = 0.0
    for hand, probability in enumerate(start):
        dealt = two_card_probabilities(deals().counts[hand])
        goes_on = ~is_ban & ~is_ban[hand]
        surrendered = dealer.surrender[:, Shown.NOTHING]
        not_played += probability * float(dealt @ (1.0 - goes_on * (1.0 - surrendered)))
    assert played + not_played == pytest.approx(1.0, abs=EXACT)


# The engine, played through


class EngineValue:
    """The player's expected units from a state on, by trying every card and every action that a strategy may choose.

    Only the readable engine says here what is legal and what it pays.
    """

    def __init__(self, player: PlayerStrategy, dealer: DealerStrategy) -> None:
        self.player = player
        self.dealer = dealer
        self.known: dict[object, float] = {}

    def __call__(self, state: GameState) -> float:
        if state.is_over:
            (units,) = state.results
            assert units is not None
            return units
        key = (
            multiset_of(state.seats[0].cards),
            multiset_of(state.dealer_cards),
            state.seats[0].has_finished,
            state.surrender_declined,
            state.specials_shown,
        )
        if key not in self.known:
            self.known[key] = math.fsum(
                probability * self._after(state, action)
                for action, probability in self._choices(state)
                if probability > 0
            )
        return self.known[key]

    def _after(self, state: GameState, action: Action) -> float:
        if cards_needed(state, action) == 0:
            return self(act(state, action))
        cards = available(without(full_deck(), state.dealt_cards))
        one_of_each = {point_class(card): card for card in cards}
        count = {point: sum(point_class(card) == point for card in cards) for point in one_of_each}
        return math.fsum(
            count[point] / len(cards) * self(act(state, Action(action.kind, action.seat, (card,))))
            for point, card in one_of_each.items()
        )

    def _choices(self, state: GameState) -> list[tuple[Action, float]]:
        legal = {action.kind: action for action in legal_actions(state)}
        own, house = (
            multiset_index(multiset_of(cards)) for cards in (state.seats[0].cards, state.dealer_cards)
        )
        if len(legal) == 1:
            return [(action, 1.0) for action in legal.values()]
        if ActionKind.SURRENDER in legal:
            shown = Shown.NOTHING
            if state.specials_shown:
                shown = Shown[state.hand_value(0).hand_class.name]
            go, stop = legal[ActionKind.KEEP], legal[ActionKind.SURRENDER]
            probability = 1.0 - self.dealer.surrender[house, shown]
        elif ActionKind.HIT in legal:
            go, stop = legal[ActionKind.HIT], legal[ActionKind.STAND]
            probability = self.player.hit[own]
        else:
            go = legal.pop(ActionKind.DRAW)
            (stop,) = legal.values()
            column = PLAYER_CARD_COUNTS.index(len(state.seats[0].cards))
            probability = self.dealer.draw[house, column]
        return [(go, float(probability)), (stop, 1.0 - float(probability))]


def dealt(rules: BanluckRules, player: str, dealer: str) -> GameState:
    return deal(new_hand(rules), [parse_cards(player)], parse_cards(dealer))


def conditional_value(
    rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy, own: int, house: int
) -> float:
    """Return the player's expected units given both two-card hands, from the solvers' forward probabilities."""
    table, play = hand_table(rules), DealerPlay.of(dealer, rules)
    if table.is_ban[own] or table.is_ban[house]:
        shown = Shown[table.values[own].hand_class.name] if table.is_ban[own] else Shown.NOTHING
        kept = 1.0 - play.surrender[house, shown]
        return float(kept * table.payoff[table.code[own], table.code[house]])
    reach = np.zeros(len(MULTISETS))
    reach[own] = 1.0
    total = 0.0
    for hand, probability in final_hands(reach, player, rules):
        dealer_has_it = two_card_probabilities(deals().counts[hand])[house]
        if dealer_has_it == 0:
            continue
        units = table.payoff[table.code[hand], table.code]
        draw = play.draw[house, PLAYER_CARD_COUNTS.index(len(MULTISETS[hand]))]
        drawn = play.final_hands_after_draw(house, hand) @ units if draw > 0 else 0.0
        total += probability * dealer_has_it * (draw * drawn + (1.0 - draw) * units[house])
    dealer_had_it = two_card_probabilities(deals().counts[own])[house]
    return float(1.0 - play.surrender[house, Shown.NOTHING]) * total / float(dealer_had_it)


#: Starting hands of player and dealer that end soon, whichever way they are played.
STARTS = [
    ("TC 9D", "TH 8S"),
    ("TC 6D", "TH 6S"),
    ("9C 7D", "TH 5S"),
    ("TC 5D", "9H 6S"),
    ("7C 7D", "7H 7S"),
    ("AC 6D", "TH 7S"),
    ("AC AD", "9H 6S"),
    ("AC KD", "TH 5S"),
    ("AC KD", "TH TS"),
    ("TC 7D", "AH AS"),
    ("AC AD", "AH AS"),
    ("TC 8D", "AH 8S"),
]


@pytest.mark.parametrize("place", cases(range(len(COVERING)), long=range(0, len(COVERING), 2)))
@pytest.mark.parametrize(("player_cards", "dealer_cards"), STARTS)
def test_forward_probabilities_pay_what_the_engine_pays_card_by_card(
    player_cards: str,
    dealer_cards: str,
    place: int,
    random_player: RandomPlayer,
    random_dealer: RandomDealer,
) -> None:
    rules = COVERING[place]
    player, dealer = random_player(4), random_dealer(4, rules)
    state = dealt(rules, player_cards, dealer_cards)
    own, house = (multiset_index(multiset_of(parse_cards(text))) for text in (player_cards, dealer_cards))
    expected = EngineValue(player, dealer)(state)
    assert conditional_value(rules, player, dealer, own, house) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize(
    ("player_cards", "dealer_cards"), [("5C 4D", "TH 6S"), ("6C 5D", "TH 3S"), ("AC 2D", "TH 7S")]
)
def test_long_hands_pay_what_the_engine_pays_card_by_card(player_cards: str, dealer_cards: str) -> None:
    rules = BanluckRules.create({"five_card_below_minimum": "counts", "five_card_bust_dealer": 2})
    player, dealer = stand_on(17, rules), classic_dealer(rules)
    own, house = (multiset_index(multiset_of(parse_cards(text))) for text in (player_cards, dealer_cards))
    expected = EngineValue(player, dealer)(dealt(rules, player_cards, dealer_cards))
    assert conditional_value(rules, player, dealer, own, house) == pytest.approx(expected, abs=EXACT)


def only_from(game: SequenceGame, own: int, house: int, player: Floats, dealer: Floats) -> float:
    """Return what plans are worth in deals of two given two-card hands alone: all other deals are left out."""
    plans = []
    for graph, policy, starts in (
        (game.player, player, [game.player_nodes.index(own)]),
        (game.dealer, dealer, [n for n, node in enumerate(game.dealer_nodes) if node.multiset == house]),
    ):
        counts = graph.link_count.copy()
        for link in range(graph.first_link[ROOT], graph.first_link[ROOT + 1]):
            counts[link] *= graph.link_node[link] in starts
        plan = plan_of(DecisionGraph(graph.legal, graph.first_link, graph.link_node, counts), policy)
        plan[ROOT] = 0.0
        plans.append(plan)
    return game.value(*plans)


@pytest.mark.parametrize(
    ("player_cards", "dealer_cards", "options"),
    [
        # The dealer keeps a hard 15: everything that follows hangs on that.
        ("TC 6D", "TH 5S", {}),
        ("7C 7D", "8H 7S", {}),
        ("9C 7D", "9H 6S", {"five_card_bust_player": 2}),
        ("TC 4D", "9H 6S", {"reveal": "mandatory", "surrender": "after_specials"}),
        ("TC 9D", "8H 7S", {"reveal": "none"}),
        ("8C 8D", "TH 5S", {"reveal": "none", "both_bust": "push", "dealer_choice_max": 20}),
        # The dealer chooses at once, and no hand of the player is lost before the dealer has played.
        ("TC 6D", "TH 6S", {"both_bust": "push", "dealer_collects_multiples": True}),
        ("7C 7D", "9H 7S", {"both_bust": "push", "dealer_collects_multiples": True}),
        ("TC 4D", "9H 8S", {"both_bust": "push", "dealer_collects_multiples": True, "surrender": "none"}),
        ("8C 7D", "9H 8S", {"both_bust": "push", "dealer_collects_multiples": True, "reveal": "none"}),
        # Xì dách: any player may be opened from 15 on, and three sevens are a 21.
        ("7C 7D", "9H 6S", BANLUCK.preset("xi-dach").rules.changes()),
        ("TC 6D", "TH 6S", BANLUCK.preset("xi-dach").rules.changes()),
    ],
)
def test_payoff_blocks_pay_what_the_engine_pays_card_by_card(
    player_cards: str,
    dealer_cards: str,
    options: Mapping[str, object],
    random_player: RandomPlayer,
    random_dealer: RandomDealer,
) -> None:
    """Where the dealer decides on the two cards dealt, the plans can be cut down to one deal."""
    rules = BanluckRules.create(options)
    game = sequence_game(rules)
    player, dealer = random_player(6), random_dealer(6, rules)
    own, house = (multiset_index(multiset_of(parse_cards(text))) for text in (player_cards, dealer_cards))
    worth = only_from(game, own, house, player_policy(game, player), dealer_policy(game, dealer))
    deal_probability = order_counts()[own] * order_counts()[house] * pair_weights(own)[house]
    expected = EngineValue(player, dealer)(dealt(rules, player_cards, dealer_cards))
    assert worth / deal_probability == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("cards", ["TC 7D", "9C 9D"])
def test_the_baselines_actions_are_worth_what_the_engine_pays_over_all_hands_of_the_dealer(
    cards: str,
) -> None:
    """Given that the hand is played on: the dealer shows no Ban hand and does not surrender."""
    rules = BanluckRules()
    dealer = classic_dealer(rules)
    baseline = solve_baseline(rules, dealer)
    engine = EngineValue(baseline.player, dealer)
    own_cards = parse_cards(cards)
    own = multiset_index(multiset_of(own_cards))
    left = [card for card in range(DECK_SIZE) if card not in own_cards]
    one_deal = {multiset_of(pair): pair for pair in combinations(left, 2)}
    probabilities = two_card_probabilities(deals().counts[own])
    weights, stands, hits = [], [], []
    for hand, pair in one_deal.items():
        state = deal(new_hand(rules), [own_cards], pair)
        if state.dealer_value.is_ban or dealer.surrender[multiset_index(hand), Shown.NOTHING] == 1:
            continue
        legal = {action.kind: action for action in legal_actions(state)}
        if ActionKind.KEEP in legal:
            state = act(state, legal[ActionKind.KEEP])
            legal = {action.kind: action for action in legal_actions(state)}
        weights.append(probabilities[multiset_index(hand)])
        stands.append(engine(act(state, legal[ActionKind.STAND])))
        hits.append(engine._after(state, legal[ActionKind.HIT]))
    assert np.average(stands, weights=weights) == pytest.approx(baseline.stand[own], abs=EXACT)
    assert np.average(hits, weights=weights) == pytest.approx(baseline.hit[own], abs=EXACT)
