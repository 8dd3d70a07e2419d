"""One player left against the dealer, with known cards out of the pack: after a Ban hand or a shown bust of the other.

What is known of the other player changes the pack and nothing else, so this is the heads-up game from a smaller pack, between
a player without a Ban hand and a dealer without one. Who remembers a bust only by its card count plays many such games at once, each with
its probability. It is zero-sum either way. Best replies to best replies settle it wherever it has a
solution in pure strategies; where it has none, regret minimisation does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.hand_table import Floats, Integers, deals
from croupier.banluck.solvers.payoff_kernel import GO, STOP
from croupier.banluck.solvers.plans import dealer_strategy, player_strategy, policy_of_plan
from croupier.banluck.solvers.regret_minimisation import RegretRun, next_check
from croupier.banluck.solvers.sequence_game import SequenceGame, sequence_game
from croupier.banluck.solvers.table.dealer_states import COUNTS, known_settlements, known_values
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.sums import SumList, sum_over_closed, sum_over_known
from croupier.banluck.solvers.table.two_seats import TwoSeatGame
from croupier.numerics.compiled import compiled

_ROUNDS = 12
_MAX_ITERATIONS = 5000


@dataclass(frozen=True, slots=True, eq=False)
class RemainingPlay:
    """How one player and the dealer go on when the other player's cards are known.

    Attributes
    ----------
    hit
        How often the player hits each multiset.
    draw
        How often the dealer draws, by hand of choice and the player's card count.
    value
        The player's units, in units of the probability of the known cards.
    gain
        What the player could gain by the best reply.
    dealer_value, dealer_best
        The player's units by the dealer's two-card hand, per order of its cards: as the dealer plays, and at the least.
    """

    hit: Floats
    draw: Floats
    value: float
    gain: float
    dealer_value: Floats
    dealer_best: Floats


class _SmallerPack:
    """What one player and the dealer meet in a pack without some cards."""

    def __init__(self, table: TwoSeatGame, removed: Integers) -> None:
        self.table = table
        self.pack = table.pack - removed
        self.sums = SumList.alone(table.dealer.hands, table.dealer.codes, self.pack)
        seats, dealt = table.seats, table.dealer.hands[: table.dealer.two_cards]
        self.bust_weight = np.zeros((len(seats.bust), len(dealt)))
        counts = deals().counts
        fill_joint(self.bust_weight, counts[seats.bust], np.arange(len(dealt)), counts[dealt], self.pack)

    def meets(self, masses: Floats, final: Floats) -> tuple[Floats, Floats]:
        """Return what the player's closed hands win by pair and card count, and what the busts bring by the dealer's hand."""
        sums, seats, closed = self.sums, self.table.seats, self.table.closed
        settled = np.zeros((1, sums.pairs, COUNTS))
        weight = np.zeros((len(sums.base), COUNTS, 1))
        reached = closed.tree.reached(final)
        sum_over_closed(settled, weight, 0, len(sums.base), sums, closed, final, reached)
        busts = np.zeros(len(self.table.dealer.hands))
        busts[: self.bust_weight.shape[1]] = (seats.bust_units * masses[seats.bust]) @ self.bust_weight
        return settled[0], busts

    def worth(self, masses: Floats, start: Floats) -> tuple[Floats, Floats]:
        """Return what the player's final hands are worth for masses of settlements, and what the busts are."""
        seats = self.table.seats
        worth = np.zeros((len(seats.final), 1))
        sum_over_known(worth, 0, len(self.sums.base), self.sums, self.table.closed, masses)
        return worth[:, 0], seats.bust_units * (self.bust_weight @ start[: self.bust_weight.shape[1]])


class RemainingGame:
    """One player against the dealer, from a pack without some cards.

    Parameters
    ----------
    removed
        The cards (counts by class) that the other player may hold.
    shares
        How likely each of them is; together 1.
    """

    def __init__(self, table: TwoSeatGame, *removed: Integers, shares: Sequence[float] = (1.0,)) -> None:
        self.table = table
        self.packs = [
            (share, _SmallerPack(table, cards)) for share, cards in zip(shares, removed, strict=True)
        ]

    def solve(self, hit: Floats, start: Floats, tolerance: float) -> RemainingPlay:
        """Find play from which neither side can gain more than the tolerance.

        Parameters
        ----------
        hit
            A player to begin with.
        start
            The masses of the dealer's two-card hands, surrenders taken off.
        """
        draw = np.zeros((1, len(self.table.dealer.choices), COUNTS))
        for _ in range(_ROUNDS):
            met = self._meets(hit)
            least = self._dealer(met, draw, best=True)
            found, reply = self._answered(hit, draw, start, least, least)
            if found.gain <= tolerance:
                return found
            hit = reply
        return self._by_regrets(start, tolerance)

    def play(self, hit: Floats, draw: Floats, start: Floats) -> RemainingPlay:
        """Value given play of both sides, and what each could gain."""
        met = self._meets(hit)
        as_played = self._dealer(met, draw[None].copy(), best=False)
        least = self._dealer(met, draw[None].copy(), best=True)
        return self._answered(hit, draw[None], start, as_played, least)[0]

    def _answered(
        self, hit: Floats, draw: Floats, start: Floats, as_played: Floats, least: Floats
    ) -> tuple[RemainingPlay, Floats]:
        """Add what the player earns and could gain; return the player's best reply beside it."""
        seats = self.table.seats
        stand, over = self._seat(draw, start)
        own = SeatReply.of(seats, stand, over, hit, best=False)
        best = SeatReply.of(seats, stand, over, hit, best=True)
        found = RemainingPlay(own.hit, draw[0].copy(), own.value, best.value - own.value, as_played, least)
        return found, best.hit

    def _meets(self, hit: Floats) -> tuple[Floats, Floats]:
        """Return what the player's closed hands win by pair and card count, and what the busts bring by the dealer's hand."""
        seats = self.table.seats
        masses = seats.masses(hit)
        final = seats.final_masses(masses, hit)[:, None].copy()
        met = [(share, *pack.meets(masses, final)) for share, pack in self.packs]
        settled: Floats = np.sum([share * part for share, part, _ in met], axis=0)
        busts: Floats = np.sum([share * part for share, _, part in met], axis=0)
        return settled, busts

    def _dealer(self, met: tuple[Floats, Floats], draw: Floats, *, best: bool) -> Floats:
        """Return the player's units by the dealer's two-card hand; with ``best``, write the best draws."""
        dealer = self.table.dealer
        settled, busts = met
        value = np.zeros((len(dealer.hands), COUNTS))
        known_values(settled, self.packs[0][1].sums.pair_of, dealer, np.ones((1, COUNTS)), draw, best, value)
        by_hand: Floats = value.sum(axis=1) + busts
        return by_hand

    def _seat(self, draw: Floats, start: Floats) -> tuple[Floats, Floats]:
        """Return what a stand on each hand is worth, and hands that are over."""
        table, seats, sums = self.table, self.table.seats, self.packs[0][1].sums
        masses = np.zeros((1, sums.pairs, COUNTS))
        entry = np.repeat(start[:, None], COUNTS, axis=1)
        known_settlements(masses[0], entry, sums.pair_of, table.dealer, np.ones((1, COUNTS)), draw)
        stand, bust = np.zeros(len(MULTISETS)), np.zeros(len(seats.bust))
        for share, pack in self.packs:
            finals, busts = pack.worth(masses, start)
            stand[seats.final] += share * finals
            bust += share * busts
        over = np.where(seats.acts, 0.0, stand)
        over[seats.bust] = bust
        return stand, over

    def _by_regrets(self, start: Floats, tolerance: float) -> RemainingPlay:
        """Mix by PCFR+, with the surrender as it is."""
        rules = self.table.rules
        game = self._sequence_game(rules, start)
        run = RegretRun.on(game, Algorithm.PCFR_PLUS)
        while run.iterations < _MAX_ITERATIONS:
            run.iterate()
            if run.iterations == next_check(run) and run.check().width <= tolerance:
                break
        player_plan, dealer_plan = run.average_plans()
        hit = player_strategy(
            game, policy_of_plan(game.player, player_plan, game.player_gradient(dealer_plan))
        ).hit
        dealer = dealer_strategy(
            game, policy_of_plan(game.dealer, dealer_plan, -game.dealer_gradient(player_plan))
        )
        hands = self.table.dealer.hands[self.table.dealer.choices]
        return self.play(hit, np.ascontiguousarray(dealer.draw[hands]), start)

    def _sequence_game(self, rules: BanluckRules, start: Floats) -> SequenceGame:
        removed = [(share, np.array(PACK_COUNTS) - pack.pack) for share, pack in self.packs]
        game = sequence_game(rules).without(removed)
        dealer = self.table.dealer
        keeps = dict(zip(dealer.hands.tolist(), (start > 0).tolist(), strict=True))
        legal = game.dealer.legal.copy()
        for place, node in enumerate(game.dealer_nodes):
            if node.shown is not None:
                legal[place] = False
                legal[place, GO if keeps[node.multiset] else STOP] = True
        return replace(game, dealer=replace(game.dealer, legal=legal))


@compiled
def fill_joint(
    weight: Floats, known: Integers, dealt: Integers, dealt_counts: Integers, pack: Integers
) -> None:
    """Fill the probability that a known hand and two cards of the dealer come in one given order."""
    inverse = np.ones(16)
    for taken in range(1, len(inverse)):
        inverse[taken] = inverse[taken - 1] / max(pack.sum() - taken + 1, 1)
    for row in range(len(known)):
        for number in range(len(dealt)):
            ways = 1.0
            taken = 0
            for point in range(len(pack)):
                held = known[row, point] + dealt_counts[number, point]
                for before in range(held):
                    ways *= max(pack[point] - before, 0)
                taken += held
            weight[row, dealt[number]] = ways * inverse[taken]
