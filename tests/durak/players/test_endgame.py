"""The solver against the definition: trying everything on the readable engine, with no table and no bounds."""

import random
from dataclasses import replace

import pytest

from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.endgame import Bounds, EndgameSolver, Outcome, is_open
from croupier.durak.players.evaluation import Evaluator
from croupier.errors import InputError
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

#: Hand sizes, cards in the stock, and how many random endings of each are tried.
ENDINGS = (
    (1, 1, 0, 300),
    (1, 2, 0, 300),
    (2, 1, 0, 300),
    (2, 2, 0, 1000),
    (3, 2, 0, 300),
    (2, 3, 0, 300),
    (2, 2, 1, 200),
)

#: The same for whoever has an hour: ``(4, 4, 0, 500), (5, 3, 0, 300), (3, 5, 0, 300), (3, 3, 1, 300)``.
LARGER_ENDINGS = ((3, 3, 0, 60), (4, 2, 0, 40), (2, 4, 0, 40))


def brute_force(state: GameState) -> Outcome:
    """The outcome for the player in turn."""
    best = Outcome.LOSS
    for action in legal_actions(state):
        after = act(state, action)
        if after.is_over:
            value = (
                Outcome.DRAW if after.winner is None else Outcome(1 if after.winner == state.to_act else -1)
            )
        else:
            value = brute_force(after)
            value = value if after.to_act == state.to_act else Outcome(-value)
        best = max(best, value)
    return best


def random_ending(chance: random.Random, first: int, second: int, stock: int, rules: DurakRules) -> GameState:
    """An ending with hands of given sizes, some moves into its first bout, in the middle of which it may be."""
    deck = tuple(chance.sample(PACK, len(PACK)))
    dealt = first + second
    state = replace(
        start(rules, deck, leader=0),
        hands=(deck[:first], deck[first:dealt]),
        drawn=len(PACK) - stock,
        discarded=deck[dealt : len(PACK) - stock],
        bout=5,
    )
    for _ in range(chance.randrange(4)):
        after = act(state, chance.choice(legal_actions(state)))
        if after.is_over:
            break
        state = after
    return state


def seen_by_player_in_turn(state: GameState) -> Observation:
    assert state.to_act is not None
    return observe(state, state.to_act)


@pytest.mark.parametrize(("first", "second", "stock", "games"), ENDINGS + LARGER_ENDINGS)
def test_the_solver_agrees_with_brute_force_on_random_endings(
    first: int, second: int, stock: int, games: int
) -> None:
    chance, solver = random.Random(f"{first} {second} {stock}"), EndgameSolver()
    for _ in range(games):
        state = random_ending(chance, first, second, stock, DurakRules())
        moves = solver.solve(seen_by_player_in_turn(state))
        assert moves is not None
        assert max(moves.values()) == brute_force(state), state


def test_every_move_of_an_ending_has_its_own_true_outcome() -> None:
    chance, solver = random.Random(7), EndgameSolver()
    for _ in range(150):
        state = random_ending(chance, 2, 3, 0, DurakRules())
        moves = solver.solve(seen_by_player_in_turn(state))
        assert moves is not None
        assert len(moves) == len(legal_actions(state))
        for cards, outcome in moves.items():
            after = answer(state, cards)
            if after.is_over:
                assert outcome == (0 if after.winner is None else 1 if after.winner == state.to_act else -1)
            else:
                value = brute_force(after)
                assert outcome == (value if after.to_act == state.to_act else -value)


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
@pytest.mark.parametrize("bout", [1, 5])
def test_the_rules_of_the_table_count_in_an_ending(rules: DurakRules, bout: int) -> None:
    """Most of the attack cards that a cap allows lie beaten on the table already, so that the cap decides."""
    chance, solver = random.Random(3), EndgameSolver(cap=rules.attack_cap(2))
    for _ in range(60):
        state = long_bout_ending(chance, rules, bout)
        moves = solver.solve(seen_by_player_in_turn(state))
        assert moves is not None
        assert len(moves) == len(legal_actions(state))
        assert max(moves.values()) == brute_force(state)


def long_bout_ending(chance: random.Random, rules: DurakRules, bout: int) -> GameState:
    """An ending with hands of two, in a bout in which one attack card less than the cap, at most five, is beaten."""
    deck = tuple(chance.sample(PACK, len(PACK)))
    beaten = 2 * min(5, rules.attack_cap(bout) - 1)
    return replace(
        start(rules, deck, leader=0),
        hands=(deck[:2], deck[2:4]),
        table=deck[4 : 4 + beaten],
        discarded=deck[4 + beaten :],
        drawn=len(PACK),
        bout=bout,
    )


def test_a_won_ending_is_never_lost_again_whatever_the_other_side_does() -> None:
    chance, solver = random.Random(11), EndgameSolver()
    won = 0
    for _ in range(150):
        state = random_ending(chance, 6, 6, 0, DurakRules())
        seat = state.to_act
        moves = solver.solve(seen_by_player_in_turn(state))
        assert moves is not None
        if max(moves.values()) is not Outcome.WIN:
            continue
        won += 1
        while not state.is_over:
            if state.to_act == seat:
                moves = solver.solve(seen_by_player_in_turn(state))
                assert moves is not None
                state = answer(state, max(moves.items(), key=lambda item: item[1])[0])
            elif chance.random() < 0.5:
                state = answer(state, dummy_policy(seen_by_player_in_turn(state)))
            else:
                state = act(state, chance.choice(legal_actions(state)))
        assert state.winner == seat
    assert won > 50


def test_an_allowance_that_does_not_suffice_gives_no_answer_and_the_next_attempt_goes_on() -> None:
    state = random_ending(random.Random(2), 7, 7, 0, DurakRules())
    seen = seen_by_player_in_turn(state)
    whole = EndgameSolver().solve(seen)
    solver, attempts = EndgameSolver(), 0
    while (found := solver.solve(seen, positions=500)) is None:
        attempts += 1
    assert attempts > 0
    assert found == whole


def open_ending(phase: Phase, hand: str, enemy: str, table: str, trump: str) -> Observation:
    """An ending with an empty stock, as the player in turn sees it."""
    held, other, lying = read_cards(hand), read_cards(enemy), read_cards(table)
    gone = tuple(card for card in PACK if card not in {*held, *other, *lying})
    return Observation(phase, held, lying, gone, 0, len(other), read_card(trump), other)


#: End games that an earlier version lost though they were won, with the only moves that win.
THROWN_AWAY = (
    (
        open_ending(Phase.DEFEND, "KH JD QD TC", "KD JH JS TD QH KC QS", "9D 8C 9H", "TC"),
        {"KH": Outcome.LOSS, "TC": Outcome.LOSS, "": Outcome.WIN},
    ),
    (
        open_ending(Phase.ATTACK, "AS 7H QD AC 9C 7D TD 7C KC KS", "9D AD TH JS", "AH 8S", "JS"),
        {"AC": Outcome.LOSS, "AS": Outcome.LOSS, "": Outcome.WIN},
    ),
)


@pytest.mark.parametrize(("seen", "outcomes"), THROWN_AWAY)
def test_end_games_that_were_once_thrown_away_are_solved(
    seen: Observation, outcomes: dict[str, Outcome]
) -> None:
    moves = EndgameSolver().solve(seen, positions=2_000_000)
    assert moves == {read_cards(cards): outcome for cards, outcome in outcomes.items()}


@pytest.mark.parametrize(("seen", "outcomes"), THROWN_AWAY)
def test_the_master_wins_them_within_the_positions_of_a_tenth_of_a_second(
    seen: Observation, outcomes: dict[str, Outcome]
) -> None:
    best = Evaluator().best_move(seen, None, Budget(rounds=25_000), seed=1)
    assert outcomes[cards_text(best)] is Outcome.WIN


def test_one_winning_move_is_enough_unless_every_outcome_is_wanted() -> None:
    seen, _ = THROWN_AWAY[1]
    found = EndgameSolver().bounds(seen, is_complete=False)
    assert found[()] == Bounds(Outcome.WIN, Outcome.WIN)
    assert not found[read_cards("AC")].is_exact


def test_bounds_without_enough_positions_are_wide_but_true() -> None:
    chance, solver = random.Random(5), EndgameSolver()
    open_bounds = 0
    for _ in range(40):
        seen = seen_by_player_in_turn(random_ending(chance, 7, 7, 0, DurakRules()))
        outcomes = solver.solve(seen)
        assert outcomes is not None
        for cards, bounds in EndgameSolver().bounds(seen, positions=300).items():
            assert bounds.least <= outcomes[cards] <= bounds.most
            open_bounds += not bounds.is_exact
    assert open_bounds > 50


def test_hidden_cards_are_refused() -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), PACK[13:35], 2, 6, PACK[35])
    assert not is_open(seen)
    with pytest.raises(InputError, match="2 cards in the stock: some are hidden"):
        EndgameSolver().solve(seen)
