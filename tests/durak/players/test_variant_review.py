"""Reviews of games that the master's own search does not cover: every choice, from what its player could know, with its error."""

from math import sqrt
from statistics import fmean, variance

import pytest

from croupier import durak
from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, ActionKind, GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.built_in import built_in_player
from croupier.durak.players.review import classify, review
from croupier.durak.players.variant_review import compared_move
from croupier.rulebook import Preset
from tests.durak.players.test_variants import VARIANTS, by_dummies, dealt, with_hidden_cards_moved

QUICK = Budget(rounds=60)


def random_game(rules: DurakRules, seed: int) -> GameState:
    state, player = dealt(rules, seed), built_in_player("durak-random")
    while not state.is_over:
        state = answer(state, player.answer(state, seed))
    return state


def positions_of(game: GameState) -> list[GameState]:
    positions = [start(game.rules, game.deck, game.leader)]
    for action in game.history:
        positions.append(act(positions[-1], action))
    return positions[:-1]


def is_choice(state: GameState) -> bool:
    return len(legal_actions(state)) > 1


@pytest.mark.parametrize("preset", VARIANTS, ids=[preset.name for preset in VARIANTS])
def test_every_choice_of_every_variant_is_reviewed_and_no_other(preset: Preset[DurakRules]) -> None:
    game = random_game(preset.rules, 2)
    choices = [number for number, state in enumerate(positions_of(game)) if is_choice(state)]
    reviews = review(game, QUICK, seed=4)
    assert [move.number for move in reviews] == choices
    assert {move.seat for move in reviews} == set(range(preset.rules.players))
    for move in reviews:
        assert set(move.played.cards) == set(game.history[move.number].cards)
        assert 0 <= move.loss == move.best.expected_score - move.played.expected_score
        assert move.move_class is classify(move.loss)
        assert (move.error == 0) or move.loss > 0
        assert not move.best.is_exact
    assert review(game, QUICK, seed=4) == reviews
    mine = review(game, QUICK, seed=4, seats=[1])
    assert {move.seat for move in mine} == {1}


@pytest.mark.parametrize("preset", VARIANTS, ids=[preset.name for preset in VARIANTS])
def test_a_move_is_judged_by_what_its_player_could_know(preset: Preset[DurakRules]) -> None:
    """Exchange cards that the player cannot know: the move is worth the same."""
    states = by_dummies(dealt(preset.rules, 5))
    for state in [state for state in states[5 : len(states) // 2] if is_choice(state)][::6]:
        assert state.to_act is not None
        moved = with_hidden_cards_moved(state, state.to_act)
        for action in legal_actions(state)[:2]:
            assert compared_move(state, action, QUICK, 3) == compared_move(moved, action, QUICK, 3)


def test_where_nothing_is_hidden_a_score_is_that_of_the_readable_game() -> None:
    """The second method: sample engines play on from the move with the readable rules."""
    judged = 0
    for name in ("podkidnoy", "perevodnoy", "proezdnoy", "quick", "full-pack", "jokers", "japanese"):
        states = by_dummies(dealt(durak.rules(name, players=2), 3))
        for state in [state for state in states if not state.deck_count and is_choice(state)][:6]:
            seat = state.to_act
            assert seat is not None
            for action in legal_actions(state)[:4]:
                found = compared_move(state, action, Budget(rounds=80), 1)
                assert found is not None
                last = by_dummies(act(state, action))[-1]
                assert found.played.expected_score == last.points(seat)
                assert found.error == 0
                judged += 1
    assert judged > 60


def test_the_error_is_how_the_loss_scatters_over_seeds() -> None:
    """A lead that is clearly wrong, so that the best move is the same with every seed."""
    rules = DurakRules(players=3)
    state = start(rules, rules.cards, leader=0)
    highest = Action(ActionKind.ATTACK, state.hands[0][-1:])
    found = [compared_move(state, highest, Budget(rounds=600), seed) for seed in range(60)]
    pairs = [one for one in found if one is not None]
    losses = [one.best.expected_score - one.played.expected_score for one in pairs]
    assert len(losses) == 60
    assert fmean(losses) > 4 * sqrt(variance(losses) / len(losses))
    assert 0.6 < variance(losses) / fmean(one.error**2 for one in pairs) < 1.6


def test_beating_and_passing_on_with_the_same_card_are_two_moves() -> None:
    rules = durak.rules("perevodnoy", players=3)
    for seed in range(200):
        for state in by_dummies(dealt(rules, seed)):
            actions = [
                action
                for action in legal_actions(state)
                if action.kind in (ActionKind.DEFEND, ActionKind.TRANSFER)
            ]
            cards = [action.cards for action in actions]
            twice = next((card for card in cards if cards.count(card) == 2), None)
            if twice is not None:
                beat, passed = (
                    compared_move(state, action, QUICK, 1) for action in actions if action.cards == twice
                )
                assert beat is not None
                assert passed is not None
                assert (beat.played.passing, passed.played.passing) == ("", "transfer")
                return
    raise AssertionError("no such position was found")


def test_a_set_of_thrown_in_cards_that_the_search_leaves_out_is_judged_too() -> None:
    """The search looks at a few sets; what was played is always among them."""
    rules = durak.rules("full-pack", players=3)
    for seed in range(100):
        for state in by_dummies(dealt(rules, seed)):
            sets = [action for action in legal_actions(state) if action.kind is ActionKind.THROW_IN]
            if len(sets) >= 8:
                for action in sets:
                    found = compared_move(state, action, Budget(rounds=20), 1)
                    assert found is not None
                    assert set(found.played.cards) == set(action.cards)
                return
    raise AssertionError("no such position was found")


def test_the_master_loses_less_by_its_choices_than_a_random_player() -> None:
    rules = durak.rules("quick")
    game = durak.Game(random_game(rules, 1))
    cost = sum(move.loss for move in durak.review(game, rounds=400).moves)
    state, master = dealt(rules, 1), built_in_player("durak-master 3")
    while not state.is_over:
        state = answer(state, master.answer(state, 1))
    best = durak.review(state, rounds=400)
    assert sum(move.loss for move in best.moves) < cost / 2
