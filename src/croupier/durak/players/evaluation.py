"""What each move is worth, from what a player may know: exact where every card is known, found by search otherwise.

Hints, the coach, the review and the engine ``durak-master`` all use it. It is given an
:class:`~croupier.durak.engine.observation.Observation` and the :class:`~croupier.durak.players.evidence.Evidence` of the game so far;
neither holds a hidden card.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.budget import PROOF_SHARE, Budget, Clock
from croupier.durak.players.deals import Deals, draw_hands, seeds_of_threads
from croupier.durak.players.endgame import STACK_WORDS, Bounds, EndgameSolver, Outcome, is_open
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.native_code import native_code
from croupier.durak.players.network_shapes import ValueShape
from croupier.durak.players.play_outs import PlayOuts
from croupier.durak.players.question import (
    CHEAP,
    MODEL_HIDDEN,
    MODEL_NUMBERS,
    TRUST,
    Suspicion,
    blank,
    cards_in,
    clear,
    suspicion_of,
    verify_consistent,
    words,
)
from croupier.durak.players.side_by_side import side_by_side

#: The nodes of the search tree, and the words of its path (see the kernel).
_NODES = 2**20
_PATH_WORDS = 2 * 64

#: The units of the network's hidden layers, and the columns of the play model (see the kernels).
_HIDDEN = ValueShape.FIRST_UNITS + ValueShape.SECOND_UNITS
_MODEL_COLUMNS = 10

#: The share of the time that may go into proving an end game where nothing is searched after that: the last attempt may take longer.
_LONE_PROOF_SHARE = 0.95

#: How many end games a search keeps in mind.
_MEMO_ENTRIES = 2**18

#: As how many independent hands those that are drawn count, at most. They follow each other in a chain, and a tree that has found another
#: line scores otherwise: over seeds, scores scatter as if there were no more, however many rounds are searched.
_INDEPENDENT_HANDS = 500

#: How strongly the search tries moves that look worse.
_EXPLORATION = 0.7

#: The share of the other player's moves in the search that are drawn from the play model.
_MODELLED = 0.5

Cards = tuple[int, ...]


class MoveValue(NamedTuple):
    """One move and what it is worth.

    Attributes
    ----------
    cards
        The cards of the move; none means done, take, or nothing more.
    expected_score
        What it brings the player in turn: 1 a win, ½ a draw, 0 a loss.
    visits
        How many rounds of the search looked at it.
    is_exact
        Whether the score is proved, for best play of both sides, rather than estimated.
    passing
        How the attack is passed on with these cards, in rules that allow it: ``transfer`` or ``show``; otherwise empty.
    hands
        As how many independent hands of the others the visits count at most.
    """

    cards: Cards
    expected_score: float
    visits: int
    is_exact: bool = False
    passing: str = ""
    hands: int = _INDEPENDENT_HANDS

    @property
    def error(self) -> float:
        """The standard error of the score: how it would scatter over seeds; 0 where it is proved.

        >>> round(MoveValue((), 0.5, 2500).error, 3), MoveValue((), 0.5, 2500, is_exact=True).error
        (0.022, 0.0)
        """
        return self._error_of(min(self.visits, self.hands))

    def loss_error(self, best: "MoveValue") -> float:
        """Return the standard error of what this move loses against the best one.

        Both are tried with the same hands, so what an unusual sample of hands does to both alike drops out.

        >>> round(MoveValue((), 0.5, 2500).loss_error(MoveValue((3,), 0.6, 7500)), 3)
        0.011
        """
        if self == best:
            return 0.0
        return math.hypot(self._error_of(self.visits), best._error_of(best.visits))

    def _error_of(self, games: int) -> float:
        """Return the standard error of the mean of so many independent games."""
        score = self.expected_score
        return 0.0 if self.is_exact else math.sqrt(score * (1.0 - score) / max(1, games))


class Evaluator:
    """Evaluates the moves of one game after another; it keeps the memory of the search and the table of the end game.

    Parameters
    ----------
    cap
        How many attack cards the rules of the table allow in a bout.
    trust
        The prior probability that the other player always plays its cheapest card. Its play then raises or lowers it; 0 rules
        it out.
    exploration
        How strongly the search tries moves that look worse; more gives better estimates for them and fewer rounds to the best.
    modelled
        The share of the other player's moves that are drawn from the play model; the search chooses the others.
    proves
        Whether end games are proved: before the search, and inside it.
    follows_policy
        Whether :meth:`best_move` plays moves out as the policy networks play (:mod:`~croupier.durak.players.play_outs`), as long as
        a card is hidden; after that they say which moves to prove first, and choose where nothing is proved. :meth:`evaluate` always
        searches, because play-outs drop moves before they know much of them.
    threads
        How many searches run side by side, each with deals and a tree of its own; their visits are added up. A budget of rounds
        holds for each of them. Proofs of end games use one.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK, cards_text, read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> hand, enemy = read_cards("6C AH"), read_cards("7C 6D")
    >>> gone = tuple(card for card in PACK if card not in {*hand, *enemy})
    >>> seen = Observation(Phase.ATTACK, hand, (), gone, 0, 2, read_card("8H"))
    >>> for value in Evaluator().evaluate(seen, None, Budget(rounds=100), seed=1):
    ...     print(cards_text(value.cards), value.expected_score, value.is_exact)
    AH 1.0 True
    6C 0.5 True
    """

    def __init__(
        self,
        cap: int = PACK_SIZE,
        *,
        trust: float = TRUST,
        exploration: float = _EXPLORATION,
        modelled: float = _MODELLED,
        proves: tuple[bool, bool] = (True, True),
        follows_policy: bool = False,
        threads: int = 1,
    ) -> None:
        self._cap = cap
        self._trust = trust
        self._exploration = exploration
        self._modelled = modelled
        self._proves_first, self._proves_inside = proves
        self._trees = [_Tree() for _ in range(threads)]
        self._solver = EndgameSolver(cap)
        self._suspicion: Suspicion | None = None
        self._play_outs = PlayOuts(cap, threads=threads) if follows_policy else None

    def forget(self) -> None:
        """Forget earlier games, so that an answer depends on this game, the budget and the seed alone."""
        self._suspicion = None
        self._solver.forget()
        for tree in self._trees:
            tree.forget()
        if self._play_outs is not None:
            self._play_outs.forget()

    def evaluate(
        self, seen: Observation, evidence: Evidence | None, budget: Budget, seed: int
    ) -> tuple[MoveValue, ...]:
        """Return every move with its value, the best first.

        Where everything is proved, a search still tells which of the equally good moves is the hardest to answer.

        Parameters
        ----------
        seen
            What the player in turn may know.
        evidence
            What the other player has done so far, if that was followed.
        budget
            How long to think. With rounds instead of time the result depends on the seed alone.
        seed
            The seed of the search.

        Raises
        ------
        InputError
            If the budget is invalid, or what is seen does not add up to a pack of cards.
        """
        verify_consistent(seen)
        clock = Clock(budget)
        proved = self._prove(seen, clock) if self._is_provable(seen) else {}
        if len(_unrefuted(proved)) == 1:
            return _ranked(proved, {})
        suspicion = suspicion_of(seen, evidence, self._trust, seed)
        return _ranked(proved, self._searched(seen, evidence, clock, seed, suspicion))

    def best_move(self, seen: Observation, evidence: Evidence | None, budget: Budget, seed: int) -> Cards:
        """Return the cards of the best move; a move that is proved to win is played without looking at the others."""
        verify_consistent(seen)
        clock = Clock(budget)
        if self._is_provable(seen):
            return self._best_of_known(seen, evidence, clock, seed)
        suspicion = self._suspicion_of(seen, evidence, clock, seed)
        if self._play_outs is None:
            return next(iter(self._searched(seen, evidence, clock, seed, suspicion)))
        return next(iter(self._play_outs.compare(seen, evidence, clock, seed, suspicion=suspicion)))

    def look_ahead(self, seen: Observation, budget: Budget) -> None:
        """Use the time of a move without a choice to prove what comes after it, where every card is known.

        What is found out is kept for the next moves of the game. An evaluator that follows no policy leaves it.
        """
        if self._play_outs is not None and self._is_provable(seen):
            self._prove(seen, Clock(budget), _LONE_PROOF_SHARE, is_complete=False)

    def _is_provable(self, seen: Observation) -> bool:
        return is_open(seen) and self._proves_first

    def _suspicion_of(
        self, seen: Observation, evidence: Evidence | None, clock: Clock, seed: int
    ) -> Suspicion:
        """Find out whom one plays against; where that takes time that a proof needs, what was found last stays."""
        last = self._suspicion
        if last is None or not self._is_provable(seen):
            guess = () if last is None else last.guess
            asks_policy = self._play_outs is not None and clock.is_generous
            last = suspicion_of(seen, evidence, self._trust, seed, guess, asks_policy=asks_policy)
            self._suspicion = last
        return last

    def _best_of_known(self, seen: Observation, evidence: Evidence | None, clock: Clock, seed: int) -> Cards:
        """Return the best move where every card is known.

        Play-outs do not find the move that a proof would have found more often than the policy alone does; so all of the time may go into
        the proof, unless the other player is taken for one that always plays its cheapest card.
        """
        suspicion = self._suspicion_of(seen, evidence, clock, seed)
        is_cheap = suspicion.model == CHEAP
        promising = () if self._play_outs is None else self._play_outs.likeliest(seen, evidence, suspicion)
        share = PROOF_SHARE if is_cheap or self._play_outs is None else _LONE_PROOF_SHARE
        proved = self._prove(seen, clock, share, promising, is_complete=False)
        hoped = max(bounds.most for bounds in proved.values())
        sure = [cards for cards, bounds in proved.items() if bounds.least is hoped]
        left = sure or [cards for cards, bounds in proved.items() if bounds.most is hoped]
        if (hoped is Outcome.WIN and sure) or len(left) == 1:
            return left[0]
        if sure or self._play_outs is None:
            # Among moves that are proved to be worth the same, a tree finds the one that is the hardest to answer.
            order: Iterable[Cards] = self._searched(seen, evidence, clock, seed, suspicion)
        elif is_cheap:
            order = self._play_outs.compare(seen, evidence, clock, seed, left, suspicion=suspicion)
        else:
            order = promising
        return next(cards for cards in (*order, *left) if cards in left)

    def _prove(
        self,
        seen: Observation,
        clock: Clock,
        share: float = PROOF_SHARE,
        promising: Sequence[Cards] = (),
        *,
        is_complete: bool = True,
    ) -> dict[Cards, Bounds]:
        proved: dict[Cards, Bounds] = {}
        while positions := clock.next_positions(share):
            proved = self._solver.bounds(seen, positions, is_complete=is_complete, promising=promising)
            if all(bounds.is_exact for bounds in proved.values()):
                break
            if not is_complete and any(bounds.least is Outcome.WIN for bounds in proved.values()):
                break
        return proved

    def _searched(
        self, seen: Observation, evidence: Evidence | None, clock: Clock, seed: int, suspicion: Suspicion
    ) -> dict[Cards, tuple[int, float]]:
        """Return the moves with their visits and mean scores in a tree, the most visited first."""
        exploration = self._exploration * clock.exploration_factor
        positions = clock.proof_positions if self._proves_inside else 0

        def search(tree: _Tree) -> None:
            tree.search(rounds, exploration, self._exploration, self._modelled, positions)

        for tree, own_seed in zip(self._trees, seeds_of_threads(seed, len(self._trees)), strict=True):
            tree.begin(Deals(seen, evidence, suspicion, own_seed, self._cap))
        draw_hands([tree.deals for tree in self._trees], clock)
        while rounds := clock.next_rounds():
            side_by_side(search, self._trees)
            if _is_decided(_added_up(self._trees), clock.rounds_left * len(self._trees)):
                break
        return _added_up(self._trees)


def _added_up(trees: "Sequence[_Tree]") -> dict[Cards, tuple[int, float]]:
    """Return the moves of the root with their visits and their mean score in all trees together, the most visited first."""
    totals: dict[Cards, tuple[int, float]] = {}
    for tree in trees:
        for cards, (visits, score) in tree.moves().items():
            before, points = totals.get(cards, (0, 0.0))
            totals[cards] = (before + visits, points + visits * score)
    best_first = sorted(totals.items(), key=lambda found: (-found[1][0], found[0]))
    return {cards: (visits, points / max(1, visits)) for cards, (visits, points) in best_first}


def _is_decided(moves: Mapping[Cards, tuple[int, float]], rounds_left: int) -> bool:
    """Return whether no other move can still be visited as often as the first."""
    visits = sorted((visits for visits, _ in moves.values()), reverse=True)
    return len(visits) < 2 or visits[0] - visits[1] > rounds_left


class _Tree:
    """A search tree: its memory, as the kernel lays it out, and the deals in which it is searched."""

    def __init__(self) -> None:
        self._moves = blank(ctypes.c_int64, _NODES)
        self._children = blank(ctypes.c_int32, _NODES)
        self._siblings = blank(ctypes.c_int32, _NODES)
        self._visits = blank(ctypes.c_int32, _NODES)
        self._chances = blank(ctypes.c_int32, _NODES)
        self._points = blank(ctypes.c_double, _NODES)
        self._size = words([1])
        self._path = words([0] * _PATH_WORDS)
        self._hidden = (ctypes.c_float * _HIDDEN)()
        self._memo = blank(ctypes.c_int64, 2 * _MEMO_ENTRIES)
        self._allowance = words([0])
        self._stack = (ctypes.c_int64 * STACK_WORDS)()
        self._row = words([0] * _MODEL_COLUMNS)
        self._model = (ctypes.c_float * (2 * MODEL_HIDDEN + MODEL_NUMBERS))()

    def forget(self) -> None:
        """Forget the end games that were proved."""
        clear(self._memo)

    def begin(self, deals: Deals) -> None:
        """Begin with an empty tree."""
        self.deals = deals
        self._children[0] = 0
        self._size[0] = 1

    def search(
        self, rounds: int, exploration: float, deep_exploration: float, modelled: float, positions: int
    ) -> None:
        """Search for some more rounds; a proof at the end of one may look at so many positions."""
        deals, drawn = self.deals, self.deals.hands
        native_code().search(
            *(deals.question, drawn.hands, drawn.models, drawn.size, deals.stock),
            *(self._moves, self._children, self._siblings, self._visits, self._chances),
            *(
                self._points,
                self._size,
                _NODES,
                self._path,
                self._hidden,
                rounds,
                exploration,
                deep_exploration,
                modelled,
                deals.stream,
            ),
            *(positions, self._memo, _MEMO_ENTRIES, self._allowance, self._stack, self._row, self._model),
        )

    def moves(self) -> dict[Cards, tuple[int, float]]:
        """Return the moves of the root with their visits and their mean score."""
        found = {}
        child = self._children[0]
        while child:
            visits = self._visits[child]
            found[cards_in(self._moves[child])] = (visits, self._points[child] / max(1, visits))
            child = self._siblings[child]
        return found


def _unrefuted(proved: Mapping[Cards, Bounds]) -> list[Cards]:
    """Return the moves that may still be the best: none is proved to bring less than another does."""
    floor = max((bounds.least for bounds in proved.values()), default=Outcome.LOSS)
    return [cards for cards, bounds in proved.items() if bounds.most >= floor]


def _ranked(
    proved: Mapping[Cards, Bounds], searched: Mapping[Cards, tuple[int, float]]
) -> tuple[MoveValue, ...]:
    """Put moves in order: by what is proved, then by what the search preferred, whose order that of ``searched`` is.

    A score of the search is kept within the bounds that are proved. A move that is proved to draw comes before those of which the
    search expects less.
    """
    values = [_value(cards, proved.get(cards), searched) for cards in (proved or searched)]
    unrefuted = {*_unrefuted(proved)} if proved else {*searched}
    hopes = [value.expected_score for value in values if value.cards in unrefuted and not value.is_exact]
    places = {cards: place for place, cards in enumerate(searched)}

    def order(value: MoveValue) -> tuple[object, ...]:
        is_refuted = value.cards not in unrefuted
        if is_refuted or value.is_exact:
            is_surer = value.expected_score >= max(hopes, default=0.0)
            return is_refuted, not is_surer, -value.expected_score, places.get(value.cards, 0), value.cards
        return is_refuted, False, 0.0, places.get(value.cards, 0), value.cards

    return tuple(sorted(values, key=order))


def _value(cards: Cards, bounds: Bounds | None, searched: Mapping[Cards, tuple[int, float]]) -> MoveValue:
    visits, score = searched.get(cards, (0, 0.5))
    if bounds is None:
        return MoveValue(cards, score, visits)
    clipped = min(max(score, bounds.least.score), bounds.most.score)
    return MoveValue(cards, clipped, visits, bounds.is_exact)
