"""Strategies: complete, valid, legal at the table, and played as often as they say."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from croupier.banluck.engine import (
    BANLUCK,
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    HandClass,
    Phase,
    act,
    deal,
    legal_actions,
    new_hand,
)
from croupier.banluck.engine.multisets import MULTISETS, multiset_index, parse_multiset
from croupier.banluck.engine.permissions import may_surrender
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.choice import action_probabilities, choose_action
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.hand_table import hand_table
from croupier.banluck.solvers.plans import (
    dealer_policy,
    dealer_strategy,
    plan_of,
    player_policy,
    player_strategy,
    policy_of_plan,
)
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.cards import Shoe, parse_cards
from croupier.numerics.streams import RandomStream

PRESETS = {preset.name: preset.rules for preset in BANLUCK.presets}

RandomRules = Callable[[int], BanluckRules]
RandomPlayer = Callable[[int], PlayerStrategy]
RandomDealer = Callable[[int, BanluckRules], DealerStrategy]


@pytest.fixture(params=[*PRESETS, *range(400, 404)])
def rules(request: pytest.FixtureRequest, random_rules: RandomRules) -> BanluckRules:
    """Every preset, and some combinations of options."""
    return PRESETS[request.param] if isinstance(request.param, str) else random_rules(request.param)


def index(hand: str) -> int:
    return multiset_index(parse_multiset(hand))


# Rules of thumb


def test_the_classic_dealer_does_what_the_rules_force_and_nothing_that_they_forbid(
    rules: BanluckRules,
) -> None:
    dealer = classic_dealer(rules)
    for hand, value in enumerate(hand_table(rules).values):
        is_over = value.is_ban or value.is_bust or value.card_count == MAX_CARDS
        if is_over or value.total > rules.dealer_choice_max:
            assert not dealer.draw[hand].any()
        elif value.total < rules.dealer_minimum:
            assert np.all(dealer.draw[hand] == 1)
        elif rules.reveal == "none":
            assert np.ptp(dealer.draw[hand]) == 0
        elif rules.reveal == "mandatory":
            assert not dealer.draw[hand, rules.reveal_from - 2 :].any()
        if not may_surrender(MULTISETS[hand], rules):
            assert not dealer.surrender[hand].any()


def test_the_classic_dealer_draws_against_two_cards_and_opens_three_at_16_and_17() -> None:
    dealer = classic_dealer(BanluckRules.create({"dealer_choice_max": 20}))
    for hand, drawn in (("T-6", [1, 0, 0, 0]), ("T-7", [1, 0, 0, 0]), ("T-8", [0] * 4), ("T-5", [1] * 4)):
        assert dealer.draw[index(hand)].tolist() == drawn


def test_the_classic_dealer_surrenders_hard_fifteens_and_no_other_hand() -> None:
    dealer = classic_dealer(BanluckRules())
    assert np.flatnonzero(dealer.surrender.any(axis=1)).tolist() == sorted(map(index, ("T-5", "9-6", "8-7")))
    assert not classic_dealer(BanluckRules(), surrenders=False).surrender.any()
    assert not classic_dealer(BanluckRules.create({"surrender": "none"})).surrender.any()


def test_a_player_who_stands_on_the_minimum_obeys_the_rules(rules: BanluckRules) -> None:
    hit = stand_on(rules.player_minimum, rules).hit
    for hand, value in enumerate(hand_table(rules).values):
        is_over = value.is_ban or value.is_bust or value.total == 21 or value.card_count == MAX_CARDS
        assert hit[hand] == (not is_over and value.total < rules.player_minimum)


def test_rules_of_thumb_play_whole_hands_to_the_end(rules: BanluckRules) -> None:
    player, dealer = stand_on(rules.player_minimum, rules), classic_dealer(rules)
    for seed in range(20):
        state = played_legally(rules, player, dealer, players=1 + seed % 7, seed=seed)
        for seat in range(len(state.seats)):
            assert state.hand_value(seat).total >= rules.player_minimum or _was_cut_short(state, seat)


def _was_cut_short(state: GameState, seat: int) -> bool:
    """Tell whether a player never had the chance to come to the minimum."""
    hand = state.hand_value(seat)
    was_settled_first = state.dealer_value.is_ban or state.history[-1].kind is ActionKind.SURRENDER
    return was_settled_first or hand.is_ban or hand.card_count == MAX_CARDS


# At the table


def played_legally(
    rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy, *, players: int, seed: int
) -> GameState:
    """Play a hand to the end, and check on the way that each action chosen is a legal one."""
    table, stream = DealtHand.opened(rules, Shoe.shuffled(seed), players), RandomStream((seed, 1))
    while not table.state.is_over:
        action = choose_action(table.state, player, dealer, stream)
        assert action in legal_actions(table.state)
        table = table.act(action)
    assert None not in table.state.results
    return table.state


@pytest.mark.parametrize("players", range(1, 8))
def test_random_strategies_choose_legal_actions_at_every_table(
    players: int, random_rules: RandomRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    kinds = set()
    for number in range(60):
        rules = random_rules(500 + number)
        state = played_legally(
            rules,
            random_player(number),
            random_dealer(number, rules),
            players=players,
            seed=number + 1000 * players,
        )
        kinds |= {action.kind for action in state.history}
    rare = {ActionKind.SURRENDER, ActionKind.KEEP}
    assert kinds >= set(ActionKind) - rare, "everything else that can happen at a table has happened"


def test_strategies_that_say_the_impossible_are_kept_to_the_rules(random_rules: RandomRules) -> None:
    """Who always wants to go on stops where the rules say so, and the other way round."""
    for always in (0.0, 1.0):
        player = PlayerStrategy(np.full(len(MULTISETS), always))
        dealer = DealerStrategy(
            np.full((len(MULTISETS), 4), always), np.full((len(MULTISETS), 3), 1 - always)
        )
        for number in range(40):
            played_legally(random_rules(600 + number), player, dealer, players=1 + number % 4, seed=number)


def test_a_pure_strategy_does_not_depend_on_luck() -> None:
    rules = BanluckRules()
    player, dealer = stand_on(17, rules), classic_dealer(rules)
    for seed in range(50):
        table = DealtHand.opened(rules, Shoe.shuffled(seed))
        while not table.state.is_over:
            actions = {choose_action(table.state, player, dealer, RandomStream(luck)) for luck in range(5)}
            assert len(actions) == 1
            table = table.act(actions.pop())


def state_of(
    dealer: str, player: str, *, hits: str = "", stands: bool = False, **options: object
) -> GameState:
    """Deal hands given as text, let the player hit and stand, and decline a surrender."""
    state = deal(new_hand(BanluckRules.create(options)), [parse_cards(player)], parse_cards(dealer))
    for card in parse_cards(hits):
        state = act(state, Action(ActionKind.HIT, 0, (card,)))
    return act(state, Action(ActionKind.STAND, 0)) if stands else state


@pytest.mark.parametrize(
    ("state", "kind", "entry"),
    [
        (state_of("9H 9S", "TC 6D"), ActionKind.HIT, ("hit", "T-6", None)),
        (state_of("9H 9S", "5C 4D", hits="2C"), ActionKind.HIT, ("hit", "5-4-2", None)),
        (state_of("TH 6S", "TC 8D", stands=True), ActionKind.DRAW, ("draw", "T-6", 2)),
        (state_of("TH 7S", "5C 4D", hits="9C", stands=True), ActionKind.DRAW, ("draw", "T-7", 3)),
        (state_of("8H 8S", "5C 4D", hits="2C 7H", stands=True), ActionKind.DRAW, ("draw", "8-8", 4)),
        (state_of("8H 8S", "5C 4D", hits="2C 3D 6H"), ActionKind.DRAW, ("draw", "8-8", 5)),
        (state_of("TH 6S", "TC 8D", stands=True, reveal="none"), ActionKind.DRAW, ("draw", "T-6", 2)),
        (state_of("9H 6S", "TC 8D"), ActionKind.SURRENDER, ("surrender", "9-6", Shown.NOTHING)),
        (state_of("9H 6S", "AC AD"), ActionKind.SURRENDER, ("surrender", "9-6", Shown.NOTHING)),
    ],
    ids=lambda entry: "-".join(map(str, entry)) if isinstance(entry, tuple) else "",
)
def test_an_action_is_chosen_as_often_as_the_strategy_says(
    state: GameState,
    kind: ActionKind,
    entry: tuple[str, str, int | None],
    random_player: RandomPlayer,
    random_dealer: RandomDealer,
) -> None:
    player, dealer = random_player(3), random_dealer(3, state.rules)
    probability = said_by(player, dealer, *entry)
    assert_as_often(state, kind, probability, player, dealer)


@pytest.mark.parametrize(
    ("cards", "shown"), [("AC AD", Shown.BAN_BAN), ("AC KD", Shown.BAN_LUCK), ("TC 8D", Shown.NOTHING)]
)
def test_a_dealer_who_sees_the_ban_hands_first_surrenders_by_what_is_shown(
    cards: str, shown: Shown, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    state = state_of("9H 6S", cards, surrender="after_specials")
    if state.phase is Phase.SPECIALS:
        state = act(state, Action(ActionKind.SHOW))
    player, dealer = random_player(2), random_dealer(2, state.rules)
    probability = float(dealer.surrender[index("9-6"), shown])
    assert_as_often(state, ActionKind.SURRENDER, probability, player, dealer)


def test_the_action_that_is_not_a_draw_is_a_reveal_where_the_table_sees_one() -> None:
    rules = BanluckRules()
    never_draws = DealerStrategy(np.zeros((len(MULTISETS), 4)), np.zeros((len(MULTISETS), 3)))
    player, stream = stand_on(16, rules), RandomStream(1)
    two_cards = state_of("TH 6S", "TC 8D", stands=True)
    three_cards = state_of("TH 6S", "5C 4D", hits="9C", stands=True)
    assert choose_action(two_cards, player, never_draws, stream) == Action(ActionKind.DEALER_STAND)
    assert choose_action(three_cards, player, never_draws, stream) == Action(ActionKind.REVEAL, 0)


def said_by(
    player: PlayerStrategy, dealer: DealerStrategy, array: str, hand: str, column: int | None
) -> float:
    if array == "hit":
        return float(player.hit[index(hand)])
    if array == "draw":
        return float(dealer.draw[index(hand), PLAYER_CARD_COUNTS.index(column or 0)])
    return float(dealer.surrender[index(hand), column])


def assert_as_often(
    state: GameState, kind: ActionKind, probability: float, player: PlayerStrategy, dealer: DealerStrategy
) -> None:
    """Check a frequency of 1,000 choices to four standard errors."""
    assert 0.02 < probability < 0.98, "a mixed strategy, so that there is something to count"
    trials, stream = 1000, RandomStream(11)
    chosen = sum(choose_action(state, player, dealer, stream).kind is kind for _ in range(trials))
    deviation = math.sqrt(trials * probability * (1 - probability))
    assert abs(chosen - trials * probability) < 4 * deviation


def test_against_several_players_each_is_opened_as_often_as_the_strategy_says(
    random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    """Two closed players of three and four cards: each is drawn against with the chance for that card count."""
    rules = BanluckRules()
    state = deal(new_hand(rules, 2), [parse_cards("5C 4D"), parse_cards("2C 3D")], parse_cards("TH 7S"))
    for text in ("hit 9C", "stand", "hit 4H", "hit 8H", "stand"):
        kind, *card = text.split()
        state = act(state, Action(ActionKind(kind), state.turn, parse_cards(" ".join(card))))
    player, dealer = random_player(3), random_dealer(3, rules)
    first, second = dealer.draw[index("T-7"), [1, 2]]
    trials, stream = 1000, RandomStream(12)
    opened_first = opened_second = 0
    for _ in range(trials):
        opened, after = set(), state
        while (action := choose_action(after, player, dealer, stream)).kind is ActionKind.REVEAL:
            assert action.seat is not None
            opened.add(action.seat)
            after = act(after, action)
            if after.is_over:
                break
        opened_first += 0 in opened
        opened_second += 1 in opened
    for count, draws in ((opened_first, first), (opened_second, second)):
        deviation = math.sqrt(trials * draws * (1 - draws))
        assert abs(count - trials * (1 - draws)) < 4 * deviation


def test_a_dealer_who_may_not_count_cards_decides_once_against_any_number_of_players(
    random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    rules = BanluckRules(reveal="none")
    player, dealer = random_player(3), random_dealer(3, rules)
    for players in (1, 2, 5):
        hands = [parse_cards(f"T{suit} 8{suit}") for suit in "CDHS"] + [parse_cards("JC JD")]
        state = deal(new_hand(rules, players), hands[:players], parse_cards("QH 7S"))
        for _ in range(players):
            state = act(state, Action(ActionKind.STAND, state.turn))
        chances = action_probabilities(state, player, dealer)
        assert chances[Action(ActionKind.DRAW)] == dealer.draw[index("T-7"), 0]


# Arrays


HIT = np.zeros(len(MULTISETS))
DRAW = np.zeros((len(MULTISETS), len(PLAYER_CARD_COUNTS)))
SURRENDER = np.zeros((len(MULTISETS), len(Shown)))


@pytest.mark.parametrize("bad", [-0.01, 1.01, math.nan, math.inf])
def test_a_probability_that_is_none_is_refused(bad: float) -> None:
    hit, draw, surrender = HIT.copy(), DRAW.copy(), SURRENDER.copy()
    for array in (hit, draw, surrender):
        array.flat[1234] = bad
    with pytest.raises(ValueError, match=r"strategy 'hit' holds a value outside 0\.\.1"):
        PlayerStrategy(hit)
    with pytest.raises(ValueError, match=r"strategy 'draw' holds a value outside 0\.\.1"):
        DealerStrategy(draw, SURRENDER)
    with pytest.raises(ValueError, match=r"strategy 'surrender' holds a value outside 0\.\.1"):
        DealerStrategy(DRAW, surrender)


@pytest.mark.parametrize("bad", [np.zeros(0), np.zeros(len(MULTISETS) - 1), np.zeros((len(MULTISETS), 2))])
def test_an_array_of_another_shape_is_refused(bad: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    with pytest.raises(ValueError, match="strategy 'hit' has shape"):
        PlayerStrategy(bad)
    with pytest.raises(ValueError, match=r"strategy 'draw' has shape .*; expected \(2983, 4\)"):
        DealerStrategy(bad, SURRENDER)
    with pytest.raises(ValueError, match=r"strategy 'surrender' has shape .*; expected \(2983, 3\)"):
        DealerStrategy(DRAW, bad)


def test_the_bounds_of_probability_are_allowed() -> None:
    for bound in (0.0, 1.0):
        PlayerStrategy(np.full_like(HIT, bound))
        DealerStrategy(np.full_like(DRAW, bound), np.full_like(SURRENDER, bound))


def test_the_player_goes_from_policy_to_strategy_and_back(
    rules: BanluckRules, random_player: RandomPlayer
) -> None:
    game = sequence_game(rules)
    policy = player_policy(game, random_player(0))
    assert policy.sum(axis=1) == pytest.approx(np.ones(game.player.node_count), abs=1e-15)
    assert not policy[~game.player.legal].any(), "what the rules forbid is not in a policy"
    strategy = player_strategy(game, policy)
    assert np.array_equal(player_policy(game, strategy), policy)
    assert np.array_equal(player_strategy(game, player_policy(game, strategy)).hit, strategy.hit)
    elsewhere = np.delete(strategy.hit, list(game.player_nodes))
    assert not elsewhere.any(), "hands that are over are not hit"


def test_the_dealer_goes_from_policy_to_strategy_and_back(
    rules: BanluckRules, random_dealer: RandomDealer
) -> None:
    game = sequence_game(rules)
    policy = dealer_policy(game, random_dealer(0, rules))
    strategy = dealer_strategy(game, policy)
    assert dealer_policy(game, strategy) == pytest.approx(policy, abs=1e-15)
    again = dealer_strategy(game, dealer_policy(game, strategy))
    assert again.draw == pytest.approx(strategy.draw, abs=1e-15)
    assert again.surrender == pytest.approx(strategy.surrender, abs=1e-15)


def test_a_dealers_strategy_holds_the_forced_draws_and_no_forbidden_ones(
    rules: BanluckRules, random_dealer: RandomDealer
) -> None:
    game = sequence_game(rules)
    strategy = dealer_strategy(game, dealer_policy(game, random_dealer(0, rules)))
    for hand, value in enumerate(hand_table(rules).values):
        if value.is_ban or value.is_bust or value.card_count == MAX_CARDS:
            assert not strategy.draw[hand].any()
        elif value.total < rules.dealer_minimum:
            assert np.all(strategy.draw[hand] == 1)
        elif value.total > rules.dealer_choice_max:
            assert not strategy.draw[hand].any()
        elif rules.reveal == "mandatory":
            assert not strategy.draw[hand, rules.reveal_from - 2 :].any()
        elif rules.reveal == "none":
            assert np.ptp(strategy.draw[hand]) == 0
        if not may_surrender(MULTISETS[hand], rules):
            assert not strategy.surrender[hand].any()
        elif rules.surrender == "blind":
            assert np.ptp(strategy.surrender[hand]) == 0


def test_a_plan_goes_back_to_the_policy_that_it_came_from(
    rules: BanluckRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    game = sequence_game(rules)
    player, dealer = random_player(7), random_dealer(7, rules)
    player_plan = plan_of(game.player, player_policy(game, player))
    dealer_plan = plan_of(game.dealer, dealer_policy(game, dealer))
    again = (
        player_strategy(game, policy_of_plan(game.player, player_plan, game.player_gradient(dealer_plan))),
        dealer_strategy(game, policy_of_plan(game.dealer, dealer_plan, -game.dealer_gradient(player_plan))),
    )
    first, second = certify(player, dealer, rules), certify(*again, rules)
    assert second.value == pytest.approx(first.value, abs=1e-12)
    assert second.lower == pytest.approx(first.lower, abs=1e-12)
    assert second.upper == pytest.approx(first.upper, abs=1e-12)


def test_what_a_strategy_says_where_there_is_no_choice_changes_nothing(
    rules: BanluckRules, random_player: RandomPlayer, random_dealer: RandomDealer
) -> None:
    game = sequence_game(rules)
    player, dealer = random_player(8), random_dealer(8, rules)
    tidy = (
        player_strategy(game, player_policy(game, player)),
        dealer_strategy(game, dealer_policy(game, dealer)),
    )
    first, second = certify(player, dealer, rules), certify(*tidy, rules)
    assert second.value == pytest.approx(first.value, abs=1e-14)
    assert (second.lower, second.upper) == pytest.approx((first.lower, first.upper), abs=1e-14)


def test_surrenders_are_for_hands_that_the_engine_calls_hard_fifteens(rules: BanluckRules) -> None:
    expected = [] if rules.surrender == "none" else sorted(map(index, ("T-5", "9-6", "8-7")))
    assert [hand for hand, cards in enumerate(MULTISETS) if may_surrender(cards, rules)] == expected
    assert [name for name in HandClass.__members__ if name in Shown.__members__] == ["BAN_LUCK", "BAN_BAN"]
