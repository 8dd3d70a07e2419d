"""The master in variants that its own search does not cover: any number of players, any pack, transfers, teams.

A flat Monte Carlo search. It deals the hidden cards at random, as far as the seat cannot know them, plays each move to the end of the game
with sample engines in all seats, and does so for the better half of the moves again until one is left. It draws no conclusions
from what others did not do, and proves nothing in the end game.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.actions import action_of, legal_actions, reply_of
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, Reply, observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState
from croupier.durak.engine.table_kernels import (
    AT_ATTACKER,
    AT_ATTACKS,
    AT_BEATEN,
    AT_BOUT,
    AT_DEFENDER,
    AT_DRAWN,
    AT_OPEN,
    AT_PASSED,
    AT_QUEUE,
    AT_SHOWN,
    AT_SIZE,
    AT_TABLE,
    AT_TAKES,
    AT_TAKING,
    AT_THROWN,
    POSITION_LENGTH,
    Numbers,
)
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.durak.players.variant_kernel import try_moves

#: The kinds of action as the kernels number them.
KINDS = {
    kind: number
    for number, kind in enumerate(
        (
            ActionKind.ATTACK,
            ActionKind.DONE,
            ActionKind.DEFEND,
            ActionKind.TAKE,
            ActionKind.THROW_IN,
            ActionKind.TRANSFER,
            ActionKind.SHOW,
        )
    )
}

#: Halves of points, by deal and move.
Results = NDArray[np.int8]

#: The most moves that are looked at. Only sets of thrown-in cards can be more.
_MOST_MOVES = 16

#: So many games are played for each move before the clock is looked at.
_CHUNK = 20


class SearchedReply(NamedTuple):
    """A move that was searched.

    Attributes
    ----------
    reply
        The move.
    score
        The points that it brought on average, from 0 to 1; None where it is the only move.
    games
        How many games were played to their end, over all moves.
    """

    reply: Reply
    score: float | None
    games: int


def searched_reply(state: GameState, budget: Budget, seed: int) -> SearchedReply:
    """Return the move of the player in turn that does best when the game is played out, from what that seat may know.

    Parameters
    ----------
    state
        The game. Of the other hands and the stock, only what the seat may know is used.
    budget
        How many games are played to their end, over all moves, or how long.
    seed
        The seed of the hidden cards.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> found = searched_reply(start(DurakRules(players=3), PACK, leader=0), Budget(rounds=60), seed=1)
    >>> found.reply, found.games
    ((21,), 59)
    """
    moves = candidates(state)
    if len(moves) == 1:
        return SearchedReply(reply_of(moves[0]), None, 0)
    search = VariantSearch(state, moves, seed)
    best = search.best(budget)
    return SearchedReply(reply_of(moves[best]), search.score(best), search.games)


def best_reply(state: GameState, budget: Budget, seed: int) -> Reply:
    """Return only the move of :func:`searched_reply`.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> best_reply(start(DurakRules(players=3), PACK, leader=0), Budget(rounds=60), seed=1)
    (21,)
    """
    return searched_reply(state, budget, seed).reply


def load_kernels() -> None:
    """Load the search, or compile it if that was not done before, so that the first move need not wait for it."""
    rules = DurakRules(players=3)
    best_reply(start(rules, rules.cards, leader=0), Budget(rounds=10), seed=1)


def imagined_game(seen: Observation) -> GameState:
    """Return a game that looks like this to the player in turn; the hidden cards lie anyhow.

    Examples
    --------
    >>> state = start(DurakRules(players=3), DurakRules().cards, leader=1)
    >>> seen = observe(state, 1)
    >>> observe(imagined_game(seen), 1) == seen
    True
    """
    variant = seen.variant
    if variant is None:
        raise AssertionError("games of the protocol have a search of their own")
    hidden = list(seen.unseen)
    hands: list[Cards] = []
    for seat, (count, known) in enumerate(zip(variant.counts, variant.known, strict=True)):
        if seat == variant.seat:
            hands.append(seen.hand)
        else:
            wanted = count - len(known)
            hands.append((*known, *hidden[:wanted]))
            del hidden[:wanted]
    deck = (*hidden, seen.trump)
    return GameState(
        rules=variant.rules,
        deck=deck,
        leader=0,
        hands=tuple(hands),
        drawn=len(deck) - seen.deck_count,
        attacker=variant.attacker,
        defender=variant.defender,
        dealt=((),) * len(hands),
        table=seen.table[: len(seen.table) - len(variant.thrown_in)],
        waiting=variant.waiting,
        thrown_in=variant.thrown_in,
        discarded=seen.discarded,
        is_taking=seen.phase is Phase.THROW_IN,
        passed=variant.passed,
        shown=variant.shown,
        bout=variant.bout,
        taken=variant.known,
    )


def candidates(state: GameState) -> list[Action]:
    """Return the moves that are worth a look: all that are legal, except for sets of cards that may be thrown in.

    Of those, the empty one, what the sample engine throws in, each card by itself, and the cheapest two, three and so on.
    """
    if state.phase is not Phase.THROW_IN:
        return list(legal_actions(state))
    seat = state.to_act
    if seat is None:
        raise AssertionError("somebody is asked to throw in")
    seen = observe(state, seat)
    cards = seen.by_cost(seen.playable)
    sets: list[Cards] = [
        (),
        *(tuple(cards[:size]) for size in range(1, min(len(cards), seen.throw_in_limit) + 1)),
    ]
    if seen.throw_in_limit:
        sets += [(card,) for card in cards]
    usual = action_of(state, variant_dummy_policy(seen))
    chosen = dict.fromkeys(Action(ActionKind.THROW_IN, cards_of) for cards_of in sets)
    return list(dict.fromkeys([usual, *chosen]))[:_MOST_MOVES]


def card_set(cards: Cards) -> int:
    """Return cards as bits.

    >>> card_set((0, 3))
    9
    """
    return sum(1 << card for card in cards)


def rule_numbers(rules: DurakRules, trump: int) -> Numbers:
    """Return rules as the kernels read them, for a game with this open card.

    >>> rule_numbers(DurakRules(), 51).tolist()
    [2, 36, 36, 3, 2, 0, 1, 1, 0, 3]
    """
    players = rules.players
    return np.array(
        [
            players,
            rules.attack_cap(1),
            rules.attack_cap(2),
            ("none", "attacker", "neighbours", "all").index(rules.throw_in),
            len({rules.side_of(seat) for seat in range(players)}),
            ("none", "card", "card_or_shown_trump").index(rules.transfer),
            rules.may_transfer(1) or rules.transfer == "none",
            rules.draws,
            rules.spades_by_spades,
            rules.trump_suit(trump),
        ],
        dtype=np.int64,
    )


def position_numbers(state: GameState, hands: tuple[Cards, ...]) -> Numbers:
    """Return a position as the kernels read it, with these hands; its stock is drawn from the first card."""
    position = np.zeros(POSITION_LENGTH, dtype=np.int64)
    for seat, hand in enumerate(hands):
        position[seat] = card_set(hand)
    position[AT_TABLE] = card_set(state.table + state.waiting + state.thrown_in)
    queue = (*state.table[len(state.table) // 2 * 2 :], *state.waiting)
    position[AT_OPEN] = len(queue)
    position[AT_QUEUE : AT_QUEUE + len(queue)] = queue
    position[AT_BEATEN] = len(state.table) > 1
    position[AT_ATTACKS] = len(state.attack_cards)
    position[AT_THROWN] = len(state.thrown_in)
    position[AT_TAKING] = state.is_taking
    position[AT_PASSED] = sum(1 << seat for seat in state.passed)
    position[AT_SHOWN] = card_set(state.shown)
    position[AT_ATTACKER], position[AT_DEFENDER] = state.attacker, state.defender
    position[AT_BOUT] = state.bout
    position[AT_DRAWN], position[AT_SIZE] = 0, state.deck_count
    position[AT_TAKES] = state.takes
    return position


class VariantSearch:
    """One question, in the memory of the kernels."""

    def __init__(self, state: GameState, moves: list[Action], seed: int) -> None:
        seat = state.to_act
        if seat is None:
            raise AssertionError("somebody is in turn")
        seen = observe(state, seat)
        if seen.variant is None:
            known = tuple(seen.hand if place == seat else seen.known_enemy for place in range(2))
            counts = tuple(len(hand) for hand in state.hands)
        else:
            counts = seen.variant.counts
            known = tuple(
                seen.hand if place == seat else cards for place, cards in enumerate(seen.variant.known)
            )
        self._seat = seat
        self._seen = position_numbers(state, known)
        self._rules = rule_numbers(state.rules, state.trump)
        self._hidden = np.array(seen.unseen, dtype=np.int64)
        wanted = [count - len(cards) for count, cards in zip(counts, known, strict=True)]
        self._wanted = np.array(wanted, dtype=np.int64)
        self._stock = np.full(state.deck_count, state.trump, dtype=np.int64)
        if len(self._hidden) != sum(wanted) + max(0, state.deck_count - 1):
            raise AssertionError("every hidden card is in a hand or in the stock")
        self._kinds = np.array([KINDS[move.kind] for move in moves], dtype=np.int64)
        self._cards = np.array([card_set(move.cards) for move in moves], dtype=np.int64)
        self._stream = np.array([seed & (2**64 - 1)], dtype=np.uint64)
        self._position = np.zeros(POSITION_LENGTH, dtype=np.int64)
        self._begin, self._played = time.perf_counter(), 0
        self._points = np.zeros(len(moves), dtype=np.int64)
        self._tries = np.zeros(len(moves), dtype=np.int64)

    @property
    def games(self) -> int:
        """How many games were played to their end."""
        return self._played

    def score(self, move: int) -> float:
        """Return the points, from 0 to 1, that a move brought on average while the best was looked for."""
        return float(self._points[move] / (2 * self._tries[move]))

    def best(self, budget: Budget) -> int:
        """Return which move does best: all are tried, then the better half of them, until one is left."""
        stages = max(1, (len(self._kinds) - 1).bit_length())
        live = list(range(len(self._kinds)))
        for stage in range(stages):
            self._play_stage(live, budget, stages - stage)
            live = sorted(live, key=lambda move: (-self._points[move], move))[: (len(live) + 1) // 2]
        return live[0]

    def compared(self, moves: Sequence[int], budget: Budget) -> Results:
        """Try some moves with further deals, for the rest of a budget; return what each brought in each deal."""
        if budget.rounds is not None:
            return self._results(moves, max(1, (budget.rounds - self._played) // len(moves)))[:, list(moves)]
        until = self._begin + (budget.time_ms or 0.0) / 1000
        found = [self._results(moves, _CHUNK)]
        while time.perf_counter() < until:
            found.append(self._results(moves, _CHUNK))
        return np.concatenate(found)[:, list(moves)]

    def _play_stage(self, live: list[int], budget: Budget, stages: int) -> None:
        """Play games after the moves that are left, for an equal share of what the stages that are left may take."""
        if budget.rounds is not None:
            share = max(1, (budget.rounds - self._played) // (stages * len(live)))
            self._play(live, share)
            return
        now = time.perf_counter()
        until = now + (self._begin + (budget.time_ms or 0.0) / 1000 - now) / stages
        self._play(live, _CHUNK)
        while time.perf_counter() < until:
            self._play(live, _CHUNK)

    def _play(self, live: list[int], rounds: int) -> None:
        """Play so many games after each of the moves that are left; the points of the others stay as they are."""
        self._points += self._results(live, rounds).sum(axis=0, dtype=np.int64)
        self._tries[live] += rounds

    def _results(self, live: Sequence[int], deals: int) -> Results:
        """Try some moves with so many deals; return the halves of points that each brought in each deal, by row and move."""
        self._played += deals * len(live)
        kinds = np.full_like(self._kinds, -1)
        kinds[list(live)] = self._kinds[list(live)]
        results = np.zeros((deals, len(kinds)), dtype=np.int8)
        try_moves(
            self._seen,
            self._rules,
            self._hidden,
            self._wanted,
            self._stock,
            self._seat,
            kinds,
            self._cards,
            self._stream,
            self._position,
            results,
        )
        return results
