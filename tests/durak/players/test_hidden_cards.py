"""The hands that the other player is taken to hold: possible ones only, and likelier where its play says so."""

import ctypes
import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.board_kernels import Position
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK, beats, rank_of, read_card, read_cards, suit_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.deals import Deals
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.evidence import EnemyChoice, Evidence, PublicFacts
from croupier.durak.players.hidden_cards_kernel import FREE
from croupier.durak.players.play_model_kernel import HIDDEN as MODEL_HIDDEN
from croupier.durak.players.play_model_kernel import NUMBERS, move_probability, write_public_part
from croupier.durak.players.play_outs import _Table
from croupier.durak.players.question import (
    Stream,
    Suspicion,
    card_bits,
    cards_in,
    model_row,
    possible_hands,
    suspicion_of,
)


def stream(seed: int = 1) -> Stream:
    return (ctypes.c_uint64 * 1)(seed)


HALF = Suspicion(0.5)


def hands_of(
    seen: Observation, evidence: Evidence | None, suspicion: Suspicion = HALF, *, asks_policy: bool = False
) -> list[set[int]]:
    drawn = possible_hands(seen, evidence, 400, stream(), suspicion, asks_policy=asks_policy)
    return [set(cards_in(hand)) for hand in drawn.hands]


@pytest.mark.parametrize("asks_policy", [False, True])
def test_every_hand_drawn_is_possible_throughout_whole_games(asks_policy: bool) -> None:
    chance = random.Random(3)
    for game in range(12):
        state = start(DurakRules(), chance.sample(PACK, len(PACK)), leader=game % 2)
        evidence, suspicion = Evidence(), Suspicion()
        while not state.is_over:
            assert state.to_act is not None
            seen = observe(state, state.to_act)
            cards = dummy_policy(seen)
            if state.to_act == 0:
                evidence.see(seen)
                assert evidence.drawn - evidence.shown_count == seen.enemy_count - len(seen.known_enemy)
                # The hands begin with what was guessed before.
                suspicion = suspicion_of(seen, evidence, 0.5, 1, suspicion.guess)
                for hand in hands_of(seen, evidence, suspicion, asks_policy=asks_policy)[::10]:
                    assert len(hand) == seen.enemy_count
                    assert set(seen.known_enemy) <= hand <= {*seen.known_enemy, *seen.unseen}
                evidence.play(seen, cards)
            state = answer(state, cards)


TRUMP = read_card("8H")
QUEEN_LED = Observation(Phase.DEFEND, read_cards("6C 7C 8D AC AS AD"), read_cards("QC"), (), 24, 5, TRUMP)


def is_cheaper(card: int) -> bool:
    return rank_of(card) < rank_of(read_card("QC")) and suit_of(card) != suit_of(TRUMP)


def share_with_cheaper(hands: list[set[int]]) -> float:
    """How many of the hands hold a plain card below the queen."""
    return sum(any(map(is_cheaper, hand)) for hand in hands) / len(hands)


def mean_of_cheaper(hands: list[set[int]]) -> float:
    """How many such cards a hand holds on average."""
    return sum(map(is_cheaper, itertools.chain(*hands))) / len(hands)


def test_a_queen_led_speaks_against_cheaper_cards() -> None:
    evidence = Evidence()
    evidence.see(QUEEN_LED)
    assert share_with_cheaper(hands_of(QUEEN_LED, None)) > 0.95
    assert share_with_cheaper(hands_of(QUEEN_LED, evidence, Suspicion(1.0))) < 0.3
    free = hands_of(QUEEN_LED, evidence, Suspicion(0.0))
    assert mean_of_cheaper(free) < 0.95 * mean_of_cheaper(hands_of(QUEEN_LED, None))


UNSEEN, LED = read_cards("6C 9D TC JS QD KH AS"), read_cards("9C")


def nine_led() -> tuple[Observation, Evidence]:
    """Seven cards unseen, three of them in the other hand, which led a nine."""
    own = read_cards("7C 8C")
    gone = tuple(card for card in PACK if card not in {*UNSEEN, *own, *LED, TRUMP})
    seen = Observation(Phase.DEFEND, own, LED, gone, 5, 3, TRUMP)
    evidence = Evidence()
    public = PublicFacts(gone, 5, 2, frozenset())
    evidence.choices.append(EnemyChoice(Phase.ATTACK, (), 1, LED, 4, frozenset(), frozenset(), public))
    evidence.drawn = 4
    evidence._shown = frozenset(LED)
    return seen, evidence


def cheap_odds(hand: tuple[int, ...], seen: Observation) -> float:
    """How likely a player of the cheapest cards leads the nine with a hand."""
    before = Observation(Phase.ATTACK, (*hand, *LED), (), seen.discarded, 5, 2, TRUMP)
    return 0.98 if dummy_policy(before) == LED else 0.02 / 8


def test_hands_come_as_often_as_the_rule_of_bayes_says() -> None:
    """The odds of every hand, by counting."""
    seen, evidence = nine_led()
    weights = {frozenset(hand): cheap_odds(hand, seen) for hand in itertools.combinations(UNSEEN, 3)}
    drawn = possible_hands(seen, evidence, 20_000, stream(), Suspicion(1.0))
    found = Counter(frozenset(cards_in(hand)) for hand in drawn.hands)
    for cards, weight in weights.items():
        assert abs(found[cards] / 20_000 - weight / sum(weights.values())) < 0.01


def free_odds(hand: tuple[int, ...], seen: Observation) -> float:
    """How likely the play model leads the nine with a hand."""
    sums, work = np.zeros(MODEL_HIDDEN, dtype=np.float32), np.zeros(MODEL_HIDDEN + NUMBERS, dtype=np.float32)
    before = Observation(Phase.ATTACK, (*hand, *LED), (), seen.discarded, 5, 2, TRUMP)
    write_public_part(np.array(model_row(before._replace(hand=()))), sums)
    bits = card_bits(before.hand)
    position = position_with(bits, card_bits(PACK[suit_of(TRUMP) :: 4]))
    return 0.95 * move_probability(position, 0, bits, card_bits(LED), sums, work) + 0.05 / 5


def policy_odds(hand: tuple[int, ...], seen: Observation) -> float:
    """How likely the policy leads the nine with a hand, as it is asked at its own turn."""
    before = Observation(Phase.ATTACK, (*hand, *LED), (), seen.discarded, 5, 2, TRUMP)
    table = _Table()
    table.list_moves(Deals(before, None), None, math.inf, FREE)
    chances = {table._numbers[move]: table._figures[move] for move in range(len(before.hand))}
    assert math.isclose(sum(map(math.exp, chances.values())), 1.0, rel_tol=1e-5)
    return math.exp(chances[card_bits(LED)])


def test_hands_come_as_often_as_the_rule_of_bayes_says_if_the_policy_is_asked_too() -> None:
    """Half of the players are the policy, and the other half the play model: the odds of every hand, by counting."""
    seen, evidence = nine_led()
    weights = {
        frozenset(hand): (free_odds(hand, seen) + policy_odds(hand, seen)) / 2
        for hand in itertools.combinations(UNSEEN, 3)
    }
    drawn = possible_hands(seen, evidence, 20_000, stream(), Suspicion(0.0), asks_policy=True)
    found = Counter(frozenset(cards_in(hand)) for hand in drawn.hands)
    shares = {cards: weight / sum(weights.values()) for cards, weight in weights.items()}
    assert max(shares.values()) > 2 / len(shares)
    for cards, share in shares.items():
        assert abs(found[cards] / 20_000 - share) < 0.01


@pytest.mark.parametrize("asks_policy", [False, True])
def test_ways_of_choosing_are_weighed_by_the_rule_of_bayes(asks_policy: bool) -> None:
    """How likely either player leads the nine, over all hands: by counting, and by the model's probability for each hand."""
    seen, evidence = nine_led()
    hands = list(itertools.combinations(UNSEEN, 3))
    cheap = sum(cheap_odds(hand, seen) for hand in hands)
    skilled = sum(free_odds(hand, seen) for hand in hands)
    if asks_policy:
        skilled = (skilled + sum(policy_odds(hand, seen) for hand in hands)) / 2
    expected = math.log(cheap / skilled)
    found = [suspicion_of(seen, evidence, 0.5, seed, asks_policy=asks_policy).chance for seed in range(20)]
    log_odds = [math.log(chance / (1 - chance)) for chance in found]
    assert abs(sum(log_odds) / len(log_odds) - expected) < 0.1


def position_with(hand: int, trumps: int) -> Position:
    return Position(hand, 7, 0, 0, 0, 36, 36, 0, trumps, 36)


def test_a_card_drawn_after_the_lead_is_not_judged_by_it() -> None:
    """14 of the 22 cards that may have been drawn for the queen are plain and cheaper."""
    evidence = Evidence()
    evidence.see(QUEEN_LED)
    evidence.play(QUEEN_LED, read_cards("AC"))
    later = Observation(Phase.ATTACK, read_cards("6C 7C 8D AS AD 9D"), (), read_cards("QC AC"), 22, 6, TRUMP)
    evidence.see(later)
    assert 0.55 < share_with_cheaper(hands_of(later, evidence, Suspicion(1.0))) < 0.85


def test_a_player_that_keeps_to_its_cheapest_card_comes_to_be_trusted_to_do_so() -> None:
    chance = random.Random(8)
    chances = []
    for seat, policy in ((0, dummy_policy), (0, dearest)):
        state = start(DurakRules(), chance.sample(PACK, len(PACK)), leader=1)
        evidence = Evidence()
        while state.deck_count > 4:
            assert state.to_act is not None
            seen = observe(state, state.to_act)
            if state.to_act == seat:
                evidence.see(seen)
                cards = dummy_policy(seen)
                evidence.play(seen, cards)
                chance_now = suspicion_of(seen, evidence, 0.5, seed=1).chance
            else:
                cards = policy(seen)
            state = answer(state, cards)
        chances.append(chance_now)
    assert chances[0] > 0.9
    assert chances[1] < 0.01


def dearest(seen: Observation) -> tuple[int, ...]:
    """Lead and beat with the dearest card; never add one."""
    if seen.phase is Phase.DEFEND:
        return tuple(card for card in sorted(seen.hand) if beats(card, seen.table[-1], seen.trump_suit))[-1:]
    return () if seen.table else (max(seen.hand),)
