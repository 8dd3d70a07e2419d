"""The compiled positions are the readable engine's, move by move, under every combination of options."""

from collections.abc import Callable

import pytest

from croupier.cards import shuffle
from croupier.durak.engine import bit_kernels as bits
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import lowest_trump_leader, start
from croupier.durak.engine.pack import PACK, beats, cards_text, rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.players.question import card_bits, cards_in
from croupier.numerics.streams import RandomStream
from tests.durak.boards import position_of, stock_of
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

PHASES = {
    Phase.ATTACK: board.ATTACK,
    Phase.DEFEND: board.DEFEND,
    Phase.THROW_IN: board.THROW_IN,
    Phase.OVER: board.OVER,
}
SCORES = {Result.FIRST: 1, Result.SECOND: -1, Result.DRAW: 0}


def legal_bits(position: board.Position, phase: int) -> set[int]:
    """Every move that the compiled position allows, as sets of bits."""
    if phase == board.OVER:
        return set()
    if phase == board.THROW_IN:
        candidates, limit = board.throw_in_moves(position), board.throw_in_limit(position)
        chosen, moves = candidates, set()
        while True:
            if bits.count(chosen) <= limit:
                moves.add(chosen)
            if not chosen:
                return moves
            chosen = (chosen - 1) & candidates
    cards = board.attack_moves(position) if phase == board.ATTACK else board.defence_moves(position)
    moves = {card_bits([card]) for card in cards_in(cards)}
    return moves if phase == board.ATTACK and position.table == 0 else {*moves, 0}


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_every_position_of_random_games_is_the_readable_one(rules: DurakRules) -> None:
    for seed in range(60):
        stream = RandomStream((seed, 3))
        deck = shuffle(PACK, (seed, 4))
        state = start(rules, deck, leader=seed % 2)
        stock = stock_of(deck)
        position = board.started(stock, seed % 2, rules.attack_cap(1), rules.attack_cap(2))
        while legal := legal_actions(state):
            assert position == position_of(state)
            phase = board.phase_of(position)
            assert phase == PHASES[state.phase]
            assert board.seat_in_turn(position, phase) == state.to_act
            assert legal_bits(position, phase) == {card_bits(action.cards) for action in legal}
            action = chosen(state, stream)
            state = act(state, legal[action])
            position = board.answered(position, phase, card_bits(legal[action].cards), stock)
        assert board.phase_of(position) == board.OVER
        assert state.result is not None
        assert board.score_of_first(position) == SCORES[state.result]
        winners_hand = position.attack_hand if state.attacker == state.winner else position.defend_hand
        assert state.winner is None or winners_hand == 0


def chosen(state: GameState, stream: RandomStream) -> int:
    """Choose a legal action; two in three times one with cards, so that bouts grow long."""
    legal = legal_actions(state)
    with_cards = [place for place, action in enumerate(legal) if action.cards]
    if with_cards and stream.below(3):
        return with_cards[stream.below(len(with_cards))]
    return stream.below(len(legal))


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
@pytest.mark.parametrize("bout", [1, 2])
def test_the_compiled_limit_of_throwing_in_is_the_readable_one(
    rules: DurakRules,
    bout: int,
    position: Callable[..., GameState],
    play: Callable[[GameState, str], GameState],
) -> None:
    state = position(
        "6C 7C 8C 9C 6S 7S 8S 9S", "7D 8D 9D TD JD QD KD AD KH", stock="TS 6D", bout=bout, **rules.changes()
    )
    for beaten in ("6C, 7D", "7C, 8D", "8C, 9D", "9C, TD"):
        state = play(state, beaten)
        lead = cards_text(legal_actions(state)[0].cards)
        taking = play(state, f"{lead}, -")
        assert taking.phase is Phase.THROW_IN
        assert board.throw_in_limit(position_of(taking)) == taking.throw_in_limit


def test_sets_of_bits_are_sets_of_cards() -> None:
    assert cards_in(card_bits(PACK)) == PACK
    assert card_bits(PACK) == (1 << 36) - 1
    for card in PACK:
        single = card_bits([card])
        assert (bits.count(single), bits.lowest(single), PACK[bits.place(single)]) == (1, single, card)
        assert cards_in(bits.of_same_ranks(single)) == tuple(c for c in PACK if rank_of(c) == rank_of(card))
        for trump_suit in range(4):
            beating = bits.beating(single, bits.CLUBS << trump_suit)
            assert cards_in(beating) == tuple(other for other in PACK if beats(other, card, trump_suit))


def test_the_compiled_leader_is_the_readable_one() -> None:
    leaders = set()
    for seed in range(400):
        deck = shuffle(PACK, (seed, 5))
        leader = lowest_trump_leader(deck)
        leaders.add(leader)
        assert board.lowest_trump_leader(stock_of(deck)) == (-1 if leader is None else leader)
    assert leaders == {0, 1, None}
