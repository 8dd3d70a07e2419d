import random
from math import sqrt
from statistics import fmean, variance

import pytest

from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.endgame import EndgameSolver
from croupier.durak.players.master import only_answer
from croupier.durak.players.review import CLASS_LIMITS, MoveClass, advice, classify, review

QUICK = Budget(rounds=200)


def random_game(seed: int) -> GameState:
    chance = random.Random(seed)
    state = start(DurakRules(), chance.sample(PACK, len(PACK)), leader=0)
    while not state.is_over:
        state = act(state, chance.choice(legal_actions(state)))
    return state


def positions_of(state: GameState) -> list[GameState]:
    positions = [start(state.rules, state.deck, state.leader)]
    for action in state.history:
        positions.append(act(positions[-1], action))
    return positions


def test_every_move_with_a_choice_is_reviewed_and_no_other() -> None:
    game = random_game(1)
    expected = [
        number
        for number, state in enumerate(positions_of(game)[:-1])
        if state.to_act is not None and only_answer(observe(state, state.to_act)) is None
    ]
    reviews = review(game, QUICK)
    assert [entry.number for entry in reviews] == expected
    for entry in reviews:
        assert set(entry.played.cards) == set(game.history[entry.number].cards)
        assert entry.loss == max(0.0, entry.best.expected_score - entry.played.expected_score)
        assert entry.move_class is classify(entry.loss)


def test_a_won_ending_thrown_away_is_a_blunder_and_a_move_that_keeps_it_is_best() -> None:
    thrown_away = kept = 0
    for seed in range(8):
        game, solver = random_game(seed), EndgameSolver()
        positions = positions_of(game)
        for entry in review(game, QUICK):
            if not (entry.best.is_exact and entry.played.is_exact):
                continue
            outcomes = solver.solve(entry.seen)
            assert outcomes is not None
            played = next(
                outcome
                for cards, outcome in outcomes.items()
                if set(cards) == set(game.history[entry.number].cards)
            )
            assert positions[entry.number].to_act == entry.seat
            if played < max(outcomes.values()):
                thrown_away += 1
                assert entry.move_class is MoveClass.BLUNDER
            else:
                kept += 1
                assert entry.move_class is MoveClass.BEST
    assert thrown_away > 3
    assert kept > 3


def test_only_the_seats_asked_for_are_reviewed_and_progress_is_told_to_the_end() -> None:
    game = random_game(2)
    told: list[tuple[int, int]] = []
    reviews = review(game, QUICK, seats=[1], progress=lambda done, total: told.append((done, total)))
    assert {entry.seat for entry in reviews} == {1}
    assert told[-1] == (len(game.history), len(game.history))


def test_a_review_does_not_depend_on_hidden_cards_or_on_when_it_is_made() -> None:
    game = random_game(3)
    first = review(game, QUICK, seed=4)
    assert review(game, QUICK, seed=4) == first
    half = positions_of(game)[20]
    early = review(half, QUICK, seed=4)
    assert first[: len(early)] == early


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        (0.0, "best"),
        (0.02, "best"),
        (0.03, "good"),
        (0.06, "inaccuracy"),
        (0.2, "mistake"),
        (0.21, "blunder"),
    ],
)
def test_the_classes_have_stated_limits(loss: float, name: str) -> None:
    assert classify(loss).value == name
    assert [limit for _, limit in CLASS_LIMITS] == sorted(limit for _, limit in CLASS_LIMITS)


def hidden_choices(games: int) -> list[GameState]:
    """Return one position with a choice and hidden cards of each of some games."""
    chosen = []
    for seed in range(games):
        states = [
            state
            for state in positions_of(random_game(seed))
            if state.to_act is not None
            and state.deck_count > 2
            and only_answer(observe(state, state.to_act)) is None
        ]
        chosen.append(random.Random(seed).choice(states))
    return chosen


@pytest.mark.verify
@pytest.mark.parametrize("rounds", [2_500, 10_000, 40_000])
def test_scores_and_losses_scatter_over_seeds_no_more_than_their_errors_say(rounds: int) -> None:
    scores, losses = [], []
    for state in hidden_choices(12):
        by_seed = [
            {value.cards: value for value in advice(state, Budget(rounds=rounds), seed)} for seed in range(12)
        ]
        best = max(by_seed[0], key=lambda cards: fmean(values[cards].expected_score for values in by_seed))
        for cards in by_seed[0]:
            own = [values[cards] for values in by_seed]
            other = [values[best] for values in by_seed]
            scores.append(
                variance(value.expected_score for value in own) / fmean(value.error**2 for value in own)
            )
            if cards != best:
                pairs = list(zip(own, other, strict=True))
                lost = variance(top.expected_score - value.expected_score for value, top in pairs)
                losses.append(lost / fmean(value.loss_error(top) ** 2 for value, top in pairs))
    assert 0.3 < sqrt(fmean(scores)) < 1.1
    assert 0.3 < sqrt(fmean(losses)) < 1.1
