"""Two players and the dealer, exactly: values by seat, and what each of the three could gain by a best reply.

The game falls into parts that share only the dealer's surrender. Where somebody holds a Ban hand, or the first player shows a bust, one
player is left against the dealer (:mod:`~croupier.banluck.solvers.table.remaining_player`). Everything else is
:mod:`~croupier.banluck.solvers.table.two_seats`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS, Multiset
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Floats, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import Shown
from croupier.banluck.solvers.table.remaining_player import RemainingGame, RemainingPlay, fill_joint
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.strategy import DealerPolicy, Information, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_seats import DealerValues, SeatSums, SeatValues, TwoSeatGame
from croupier.numerics.threads import side_by_side


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What everybody earns with given strategies, and could gain by the best reply, in units per hand.

    Attributes
    ----------
    values, gains
        By seat.
    dealer_value, dealer_gain
        The dealer's.
    """

    values: tuple[float, float]
    gains: tuple[float, float]
    dealer_value: float
    dealer_gain: float

    @property
    def largest_gain(self) -> float:
        """The most that anybody could gain."""
        return max(*self.gains, self.dealer_gain)


class KnownCase(NamedTuple):
    """What one player and the dealer may know of the other player before they play.

    Attributes
    ----------
    shown
        The Ban hand that is shown, if one is; otherwise it is a bust of the first seat.
    probability
        Of the case; for a Ban hand, of one given seat.
    shares
        The hands that the other player may hold, and how likely each is; together 1.
    """

    shown: Shown
    probability: float
    shares: dict[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class BanDeals:
    """What is settled at the deal because somebody holds a Ban hand.

    Attributes
    ----------
    against_ban
        Units of each seat when the dealer holds a Ban hand.
    shown
        Units of each seat for its Ban hand: by the dealer's hand, per order of its cards, and by what both seats show.
    """

    against_ban: Floats
    shown: Floats


class TwoPlayerGame:
    """The whole game of two players, for one rule set and one pack."""

    def __init__(
        self, rules: BanluckRules, pack: Sequence[int] = PACK_COUNTS, information: Information = "full"
    ) -> None:
        self.rules = rules
        self.table = TwoSeatGame(rules, pack, information)
        self.pack = self.table.pack
        self.ban_deals = _ban_deals(self.table)
        self.ban_hands = {
            Shown[value.hand_class.name]: hand
            for hand, value in enumerate(hand_table(rules).values[:TWO_CARD_HANDS])
            if value.is_ban
        }

    def order_probability(self, hand: int) -> float:
        """Return the probability that the cards of a multiset come in one given order."""
        return _probability(self.pack, deals().counts[hand])

    def start(self, surrender: Floats, first: Shown = Shown.NOTHING, second: Shown = Shown.NOTHING) -> Floats:
        """Return the masses with which the dealer enters, surrenders taken off, after something was shown."""
        return self.table.dealer.dealt * (1.0 - surrender[:, first, second])

    def reached_busts(self, play: SeatPlay) -> dict[int, float]:
        """Return the busts to which the first seat's play leads, with their probabilities in any order."""
        seats = self.table.seats
        masses = seats.masses(play.first)[seats.bust]
        reached = {
            int(hand): float(mass) * self.order_probability(int(hand))
            for hand, mass in zip(seats.bust, masses, strict=True)
            if mass > 0.0
        }
        return {hand: probability for hand, probability in reached.items() if probability > 0.0}

    def known_cases(self, play: SeatPlay) -> dict[int, KnownCase]:
        """List the cases in which one player is left, by the known hand. Who remembers card counts alone has one for each count, negative."""
        found = {}
        for shown, hand in self.ban_hands.items():
            probability = float(deals().orders[hand]) * self.order_probability(hand)
            if probability > 0.0:
                found[hand] = KnownCase(shown, probability, {hand: 1.0})
        pools: dict[int, dict[int, float]] = {}
        for hand, probability in self.reached_busts(play).items():
            key = -int(deals().card_count[hand]) if self.table.information == "counts" else hand
            pools.setdefault(key, {})[hand] = probability
        for key, pool in pools.items():
            total = sum(pool.values())
            shares = {hand: probability / total for hand, probability in pool.items()}
            found[key] = KnownCase(Shown.NOTHING, total, shares)
        return found

    def solve_remaining(
        self, hit: Floats, surrender: Floats, cases: Mapping[int, KnownCase], tolerance: float
    ) -> dict[int, RemainingPlay]:
        """Solve what is left after each Ban hand and each bust."""

        def solved(case: KnownCase) -> RemainingPlay:
            return self._remaining_game(case).solve(hit, self.start(surrender, case.shown), tolerance)

        found = side_by_side([partial(solved, case) for case in cases.values()])
        return dict(zip(cases, found, strict=True))

    def _remaining_game(self, case: KnownCase) -> RemainingGame:
        removed = [deals().counts[hand] for hand in case.shares]
        return RemainingGame(self.table, *removed, shares=list(case.shares.values()))

    def played_case(self, case: KnownCase, strategy: TableStrategy) -> RemainingPlay:
        """Value how one player and the dealer go on."""
        hit, draw = strategy.remaining[MULTISETS[next(iter(case.shares))]]
        return self._remaining_game(case).play(hit, draw, self.start(strategy.surrender, case.shown))

    def certify(self, strategy: TableStrategy) -> Certificate:
        """Return what everybody earns and could gain, from the strategies alone.

        Busts of the first seat for which the strategy has nothing must not be reached.
        """
        cases = self.known_cases(strategy.seats)
        found = side_by_side([partial(self.played_case, case, strategy) for case in cases.values()])
        remaining = dict(zip(cases, found, strict=True))
        start = self.start(strategy.surrender)
        sums = self.table.seat_sums(strategy.seats)
        values = self.table.seat_values(sums, strategy.dealer, start)
        return self.certificate(sums, values, strategy.dealer, strategy.surrender, remaining)

    def certificate(
        self,
        sums: SeatSums,
        values: SeatValues,
        policy: DealerPolicy,
        surrender: Floats,
        remaining: Mapping[int, RemainingPlay],
    ) -> Certificate:
        """Put the parts together."""
        play = sums.play
        first = [_reply(self.table, values, play, best=best)[0] for best in (False, True)]
        second = [_reply(self.table, values, play, best=best)[1] for best in (False, True)]
        earned = np.array([first[0], second[0]])
        gains = np.array([first[1] - first[0], second[1] - second[0]])
        for known, case in self.known_cases(play).items():
            left = (
                slice(None) if case.shown else slice(1, None)
            )  # a Ban hand leaves either seat, a bust the second
            earned[left] += case.probability * remaining[known].value
            gains[left] += case.probability * remaining[known].gain
        keeps = self.table.dealer.dealt[:, None, None] * (1.0 - surrender)
        earned += self.ban_deals.against_ban + np.einsum("sdfg,dfg->s", self.ban_deals.shown, keeps)
        as_played = self.by_dealer_hand(self.table.dealer_values(sums, policy), play, remaining, best=False)
        least = self.by_dealer_hand(
            self.table.dealer_values(sums, policy.copy(), best=True), play, remaining, best=True
        )
        players = float(np.sum(as_played * keeps)) + float(self.ban_deals.against_ban.sum())
        lowest = float(self._least_units(least).sum()) + float(self.ban_deals.against_ban.sum())
        return Certificate(
            (float(earned[0]), float(earned[1])),
            (float(gains[0]), float(gains[1])),
            -players,
            players - lowest,
        )

    def best_surrender(
        self, values: DealerValues, play: SeatPlay, remaining: Mapping[int, RemainingPlay]
    ) -> Floats:
        """Return the surrenders that are best if everything after them is played as well as possible."""
        units = (
            self.by_dealer_hand(values, play, remaining, best=True) * self.table.dealer.dealt[:, None, None]
        )
        return self._surrenders(units)

    def _surrenders(self, units: Floats) -> Floats:
        may = self.table.dealer.may_void[:, None, None]
        if self.rules.surrender == "after_specials":
            return (may & (units > 0.0)).astype(np.float64)
        voids = may & (units.sum(axis=(1, 2), keepdims=True) > 0.0)
        return np.repeat(np.repeat(voids, len(Shown), axis=1), len(Shown), axis=2).astype(np.float64)

    def _least_units(self, values: Floats) -> Floats:
        units = values * self.table.dealer.dealt[:, None, None]
        return units * (1.0 - self._surrenders(units))

    def by_dealer_hand(
        self, values: DealerValues, play: SeatPlay, remaining: Mapping[int, RemainingPlay], *, best: bool
    ) -> Floats:
        """Return both players' units by the dealer's two-card hand, per order of its cards, and by what is shown."""
        dealer, seats = self.table.dealer, self.table.seats
        found = np.zeros((len(dealer.hands), len(Shown), len(Shown)))
        found += self.ban_deals.shown.sum(axis=0)
        nothing = found[:, Shown.NOTHING, Shown.NOTHING]
        nothing += values.value
        busts = seats.masses(play.first)[seats.bust] * seats.bust_units
        nothing[: dealer.two_cards] += busts @ self.table.dealt_weight(
            self.table.busts, self.table.bust_dealt
        )
        for known, case in self.known_cases(play).items():
            part = remaining[known]
            units = case.probability * (part.dealer_best if best else part.dealer_value)
            found[:, case.shown, Shown.NOTHING] += units
            if case.shown:
                found[:, Shown.NOTHING, case.shown] += units
        return found * (dealer.dealt > 0)[:, None, None]


def named(
    cases: Mapping[int, KnownCase], remaining: Mapping[int, RemainingPlay]
) -> dict[Multiset, tuple[Floats, Floats]]:
    """Return the play of the parts by the known cards."""
    return {
        MULTISETS[hand]: (remaining[known].hit, remaining[known].draw)
        for known, case in cases.items()
        for hand in case.shares
    }


def _reply(table: TwoSeatGame, values: SeatValues, play: SeatPlay, *, best: bool) -> tuple[float, float]:
    first = SeatReply.of(table.seats, values.first_stand, values.first_over, play.first, best=best)
    second = [
        SeatReply.of(table.seats, stand, over, hit, best=best).value
        for stand, over, hit in zip(values.second_stand, values.second_over, play.second, strict=True)
    ]
    return first.value, sum(second)


def _ban_deals(table: TwoSeatGame) -> BanDeals:
    """Settle the deals in which somebody holds a Ban hand, as the engine does."""
    facts = hand_table(table.rules)
    two = np.arange(TWO_CARD_HANDS)
    is_ban = facts.is_ban[two]
    kinds = [Shown[facts.values[hand].hand_class.name] if is_ban[hand] else Shown.NOTHING for hand in two]
    place = {int(hand): number for number, hand in enumerate(table.dealer.hands)}
    against_ban = np.zeros(2)
    shown = np.zeros((2, len(table.dealer.hands), len(Shown), len(Shown)))
    orders, counts = deals().orders, deals().counts[two]
    for first in two:
        weight = np.zeros((TWO_CARD_HANDS, TWO_CARD_HANDS))
        left = table.pack - counts[first]
        if left.min() < 0:
            continue
        fill_joint(weight, counts, two, counts, left)
        weight *= _probability(table.pack, counts[first]) * orders[first] * orders[:, None]
        for second in two:
            for dealer in two:
                if is_ban[dealer]:
                    probability = weight[second, dealer] * orders[dealer]
                    against_ban[0] += probability * facts.payoff[facts.code[first], facts.code[dealer]]
                    against_ban[1] += probability * facts.payoff[facts.code[second], facts.code[dealer]]
                    continue
                for seat, own in enumerate((first, second)):
                    if is_ban[own]:
                        units = weight[second, dealer] * facts.payoff[facts.code[own], facts.code[dealer]]
                        shown[seat, place[int(dealer)], kinds[first], kinds[second]] += units
    return BanDeals(against_ban, shown)


def _probability(pack: Integers, counts: Integers) -> float:
    """Return the probability that some cards come in one given order."""
    weight = np.zeros((1, 1))
    fill_joint(
        weight, counts[None], np.zeros(1, dtype=np.int64), np.zeros((1, len(pack)), dtype=np.int64), pack
    )
    return float(weight[0, 0])
