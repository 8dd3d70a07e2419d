"""Two players and the dealer, exactly: values by seat, and what each of the three could gain by a best reply.

The game falls into parts that share only the dealer's surrender. Where somebody holds a Ban hand, or the first player shows a bust, one
player is left against the dealer (:mod:`~croupier.banluck.solvers.table.remaining_player`). Everything else is
:mod:`~croupier.banluck.solvers.table.two_seats`.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS, Multiset
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Floats, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import Shown
from croupier.banluck.solvers.table.remaining_player import RemainingGame, RemainingPlay, fill_joint
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_seats import DealerValues, SeatSums, SeatValues, TwoSeatGame

_WORKERS = 2


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

    def __init__(self, rules: BanluckRules, pack: Sequence[int] = PACK_COUNTS) -> None:
        self.rules = rules
        self.table = TwoSeatGame(rules, pack)
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

    def solve_remaining(
        self, hit: Floats, surrender: Floats, busts: Iterable[int], tolerance: float
    ) -> dict[int, RemainingPlay]:
        """Solve what is left after each Ban hand and each bust."""

        def solved(task: tuple[int, Shown]) -> RemainingPlay:
            hand, shown = task
            game = RemainingGame(self.table, deals().counts[hand])
            return game.solve(hit, self.start(surrender, shown), tolerance)

        tasks = [(hand, shown) for shown, hand in self.ban_hands.items() if self.order_probability(hand) > 0]
        tasks += [(hand, Shown.NOTHING) for hand in busts]
        with ThreadPoolExecutor(_WORKERS) as pool:
            return dict(zip([hand for hand, _ in tasks], pool.map(solved, tasks), strict=True))

    def certify(self, strategy: TableStrategy) -> Certificate:
        """Return what everybody earns and could gain, from the strategies alone.

        Busts of the first seat for which the strategy has nothing must not be reached.
        """
        remaining = {}
        for hand, (hit, draw) in strategy.remaining.items():
            place = MULTISETS.index(hand)
            shown = next((shown for shown, ban in self.ban_hands.items() if ban == place), Shown.NOTHING)
            game = RemainingGame(self.table, deals().counts[place])
            remaining[place] = game.play(hit, draw, self.start(strategy.surrender, shown))
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
        for hand, probability in self.reached_busts(play).items():
            earned[1] += probability * remaining[hand].value
            gains[1] += probability * remaining[hand].gain
        for hand in self.ban_hands.values():
            if hand in remaining:
                probability = float(deals().orders[hand]) * self.order_probability(hand)
                earned += probability * remaining[hand].value
                gains += probability * remaining[hand].gain
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
        nothing += busts @ self.table.dealt_weight(self.table.busts, self.table.bust_dealt)
        for hand, probability in self.reached_busts(play).items():
            part = remaining[hand]
            nothing += probability * (part.dealer_best if best else part.dealer_value)
        for shown, hand in self.ban_hands.items():
            if hand in remaining:
                part = remaining[hand]
                units = float(deals().orders[hand]) * self.order_probability(hand)
                units_by_hand = units * (part.dealer_best if best else part.dealer_value)
                found[:, shown, Shown.NOTHING] += units_by_hand
                found[:, Shown.NOTHING, shown] += units_by_hand
        return found * (dealer.dealt > 0)[:, None, None]


def named(remaining: Mapping[int, RemainingPlay]) -> dict[Multiset, tuple[Floats, Floats]]:
    """Return the play of the parts by their known cards."""
    return {MULTISETS[hand]: (part.hit, part.draw) for hand, part in remaining.items()}


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
