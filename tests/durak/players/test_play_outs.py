"""Moves that are played out as the policy plays: what is hidden stays hidden, seeds repeat, and the better move is found."""

import math
from collections import Counter

import numpy as np
import pytest

from croupier.cards import shuffle
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import LOWEST_CARD, PACK, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.budget import Budget, Clock
from croupier.durak.players.deals import Deals
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.endgame import is_open
from croupier.durak.players.evaluation import Cards, Evaluator
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.hidden_cards_kernel import FREE
from croupier.durak.players.known_cards_kernel import KnownCards
from croupier.durak.players.play_out_kernel import redealt
from croupier.durak.players.play_outs import PlayOuts, _Plan, _Table
from croupier.durak.players.question import InconsistentView, Suspicion, card_bits, suspicion_of
from croupier.durak.players.review import evidence_of
from tests.durak.boards import position_of

RULES = DurakRules()
FEW = Budget(rounds=2_000)

#: Enough rounds for choices inside play-outs to be searched.
MANY = Budget(rounds=120_000)


def best_of(
    play_outs: PlayOuts, seen: Observation, evidence: Evidence | None, budget: Budget, seed: int
) -> Cards:
    return next(iter(play_outs.compare(seen, evidence, Clock(budget), seed)))


@pytest.mark.parametrize("threads", [1, 2])
def test_whole_games_are_legal_and_the_same_again(threads: int) -> None:
    """The two games also show that nothing is left over from one question in the next."""
    played = []
    for _ in range(2):
        play_outs = PlayOuts(threads=threads)
        state = start(RULES, shuffle(PACK, 3), leader=0)
        moves: list[tuple[int, ...]] = []
        while (seat := state.to_act) is not None and not is_open(observe(state, seat)):
            budget = MANY if len(moves) == 6 else FEW
            cards = best_of(play_outs, observe(state, seat), evidence_of(state, seat), budget, len(moves))
            assert cards in [action.cards for action in legal_actions(state)]
            moves.append(cards)
            state = answer(state, cards)
        played.append(moves)
    assert played[0] == played[1]
    assert len(played[0]) > 10


def test_a_policy_is_followed_until_every_card_is_known() -> None:
    """With the stock used up the move is proved, as without the policy."""
    hand, enemy = read_cards("6C AH"), read_cards("7C 6D")
    gone = tuple(card for card in PACK if card not in {*hand, *enemy})
    seen = Observation(Phase.ATTACK, hand, (), gone, 0, 2, read_card("8H"))
    assert cards_text(Evaluator(follows_policy=True).best_move(seen, None, FEW, 1)) == "AH"


@pytest.mark.parametrize(
    ("phase", "hand", "table", "best"),
    [
        (Phase.ATTACK, "6C 7D 9S TS QC AH", "", "6C"),
        (Phase.DEFEND, "7C 9D QD KS AD KH", "6C", "7C"),
        (Phase.DEFEND, "6D 7S 9D TS 7D AH", "AC", ""),
    ],
)
def test_plain_questions_have_plain_answers(phase: Phase, hand: str, table: str, best: str) -> None:
    """Lead and beat with the lowest card while the stock is full, and keep the ace of trumps."""
    enemy = 6 - len(read_cards(table))
    seen = Observation(phase, read_cards(hand), read_cards(table), (), 24, enemy, read_card("8H"))
    assert cards_text(best_of(PlayOuts(), seen, None, FEW, 1)) == best


def test_choices_inside_play_outs_rest_on_what_their_player_sees() -> None:
    """The cards are dealt anew: own and known ones stay, all others may lie anywhere, and no card is lost."""
    stock, stream, hands = np.zeros(36, dtype=np.int8), np.array([3], dtype=np.uint64), Counter[int]()
    state = start(RULES, shuffle(PACK, 3), leader=0)
    while (seat := state.to_act) is not None and not is_open(seen := observe(state, seat)):
        position, trump = position_of(state), seen.trump - LOWEST_CARD
        phase = board.phase_of(position)
        is_defence = phase == board.DEFEND
        taken, out = card_bits(seen.known_enemy), card_bits(seen.discarded)
        known = KnownCards(out, 0, taken) if seat == 0 else KnownCards(out, taken, 0)
        for _ in range(40):
            dealt = redealt(position, phase, known, trump, stock, stream)
            own, other = dealt.attack_hand, dealt.defend_hand
            if is_defence:
                own, other = other, own
            left = [1 << int(card) for card in stock[position.drawn :]]
            assert own == card_bits(seen.hand)
            assert other & taken == taken
            assert other.bit_count() == seen.enemy_count
            assert own | other | position.table | out | sum(left) == 2**36 - 1
            assert left[-1] == 1 << trump
            hands[other] += 1
        state = answer(state, dummy_policy(seen))
    assert len(hands) > 500


def test_more_play_outs_are_done_only_while_a_move_is_in_question() -> None:
    hand, table = read_cards("6D 7S 9D TS 7D AH"), read_cards("AC")
    seen = Observation(Phase.DEFEND, hand, table, (), 24, 5, read_card("8H"))
    assert best_of(PlayOuts(), seen, None, Budget(rounds=10**12), 1) == ()


def test_what_two_plans_find_of_a_move_is_added_up() -> None:
    """The second of two plans begins to count anew, and what the first found stays beside it."""
    seen = Observation(Phase.ATTACK, read_cards("6C 7D 9S TS QC AH"), (), (), 24, 6, read_card("8H"))

    def found(*, keeps_first: bool) -> tuple[dict[int, float], dict[int, float], set[int]]:
        table, deals = _Table(), Deals(seen, None, seed=1)
        deals.draw(20)
        merits = []
        for number in range(2):
            if number == 0 or not keeps_first:
                stream = deals.stream[0]
                table.list_moves(deals, None, math.inf, FREE)
                deals.stream[0] = stream
            table.count_anew()
            table.play_out(_Plan(bouts=number, searched=0, positions=200, trust=0.0), 60)
            merits.append({move.cards: move.merit for move in table.moves(0.0)})
        return merits[0], merits[1], {move.visits for move in table.moves(0.0)}

    first, second, _ = found(keeps_first=False)
    same_first, both, visits = found(keeps_first=True)
    assert first == same_first
    assert visits == {10}
    assert len(both) == 6
    for move, merit in both.items():
        assert merit == pytest.approx(first[move] + second[move])


def test_who_always_plays_the_cheapest_card_is_recognised() -> None:
    """Against such a player other networks are followed."""
    seen_as = []
    for cheap in (True, False):
        state = start(RULES, shuffle(PACK, 5), leader=1)
        while (seat := state.to_act) is not None and (seat == 1 or len(state.history) < 24):
            legal = legal_actions(state)
            dummy = dummy_policy(observe(state, seat))
            others = [action.cards for action in legal if action.cards != dummy]
            state = answer(state, others[-1] if seat == 1 and not cheap and others else dummy)
        assert state.to_act == 0
        seen_as.append(suspicion_of(observe(state, 0), evidence_of(state, 0), 0.2, seed=1).chance)
    assert seen_as[0] > 0.7
    assert seen_as[1] < 0.01


def test_against_the_cheapest_cards_one_takes_what_one_would_beat_otherwise() -> None:
    """Who holds most of the pack once the stock is used up knows the rest, and beats such a player nearly always."""
    hand, table = read_cards("7D TC QD KS AD KH"), read_cards("6D")
    seen = Observation(Phase.DEFEND, hand, table, (), 24, 5, read_card("8H"))
    play_outs = PlayOuts()
    best = [
        next(
            iter(play_outs.compare(seen, None, Clock(Budget(rounds=20_000)), 1, suspicion=Suspicion(chance)))
        )
        for chance in (0.0, 0.9)
    ]
    assert [cards_text(cards) for cards in best] == ["7D", ""]


def test_a_view_that_does_not_add_up_is_refused() -> None:
    seen = Observation(Phase.ATTACK, PACK[:6], (), (), 20, 6, PACK[35])
    with pytest.raises(InconsistentView):
        Evaluator(follows_policy=True).best_move(seen, None, FEW, 1)
