"""The moves that the search draws for the other player: from what that player sees, and as likely as the play model says."""

import itertools
from collections import Counter

import numpy as np
import pytest

from croupier.cards import shuffle
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.known_cards_kernel import KnownCards, known_after
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.durak.players.play_model_kernel import (
    COLUMNS,
    HIDDEN,
    NUMBERS,
    drawn_move,
    move_probability,
    write_public_part,
)
from croupier.durak.players.question import card_bits, model_row
from croupier.durak.players.search_kernel import write_row
from croupier.numerics.streams import RandomStream
from tests.durak.boards import stock_of

RULES = DurakRules()


def test_the_search_shows_the_other_player_what_it_sees_in_whole_games() -> None:
    compared = 0
    for seed in range(40):
        stream, deck = RandomStream((seed, 5)), shuffle(PACK, (seed, 6))
        state, stock = start(RULES, deck, leader=seed % 2), stock_of(deck)
        position = board.started(stock, seed % 2, RULES.attack_cap(1), RULES.attack_cap(2))
        known = KnownCards(0, 0, 0)
        while legal := legal_actions(state):
            phase = board.phase_of(position)
            if state.to_act == 1 and state.deck_count:
                row = np.zeros(COLUMNS, dtype=np.int64)
                write_row(position, phase, known, stock, row)
                assert row[1:].tolist() == model_row(observe(state, 1))[1:]
                compared += 1
            action = legal[stream.below(len(legal))]
            state, before = act(state, action), position
            move = card_bits(action.cards)
            position = board.answered(before, phase, move, stock)
            known = known_after(known, before, move, position)
    assert compared > 400


@pytest.mark.parametrize("sharpness", [1.0, 2.0])
def test_moves_are_drawn_as_often_as_their_probabilities_say(sharpness: float) -> None:
    deck = shuffle(PACK, 11)
    state, stock = start(RULES, deck, leader=1), stock_of(deck)
    position = board.started(stock, 1, RULES.attack_cap(1), RULES.attack_cap(2))
    phase, hand = board.phase_of(position), position.attack_hand
    row = np.array(model_row(observe(state, 1)), dtype=np.int64)
    sums, work = np.zeros(HIDDEN, dtype=np.float32), np.zeros(HIDDEN + NUMBERS, dtype=np.float32)
    write_public_part(row, sums)
    cards = playable(position, phase)
    moves = [first_move(position, phase, cards)]
    while (following := next_move(position, phase, cards, moves[-1])) != NO_MOVE:
        moves.append(following)
    powers = np.array(
        [move_probability(position, phase, hand, move, sums, work) ** sharpness for move in moves]
    )
    expected = powers / powers.sum()
    draws, random_state = 20_000, np.array([7], dtype=np.uint64)
    drawn = Counter(
        drawn_move(position, phase, hand, sharpness, sums, work, random_state) for _ in range(draws)
    )
    errors = np.sqrt(expected * (1 - expected) / draws)
    shares = np.array([drawn[move] / draws for move in moves])
    assert sum(drawn.values()) == sum(drawn[move] for move in moves)
    assert np.all(np.abs(shares - expected) < 4 * errors + 1e-9)


def test_modelled_moves_change_the_search_and_none_of_them_is_the_plain_search() -> None:
    seen = observe(start(RULES, shuffle(PACK, 3), leader=1), 1)
    shares = (0.0, 0.5, 1.0)
    found = [Evaluator(modelled=share).evaluate(seen, None, Budget(rounds=400), seed=3) for share in shares]
    assert all(one != other for one, other in itertools.combinations(found, 2))
