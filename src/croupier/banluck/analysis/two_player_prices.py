"""What other ways to play earn at a solved table of two, exactly: other dealers against its seats, other seats against its dealer."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np

from croupier.banluck.analysis.dealer_rules import Closed, DealerRule, DealerWay, Habit, Kind, is_odd, kind_of
from croupier.banluck.analysis.table_choice import TableChoice
from croupier.banluck.analysis.table_prices import Priced
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine.multisets import Multiset, format_multiset, multiset_index
from croupier.banluck.engine.permissions import may_be_opened
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, deals
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, Shown
from croupier.banluck.solvers.table.dealer_states import COUNTS, ClosedAction
from croupier.banluck.solvers.table.remaining_player import RemainingGame, RemainingPlay, fill_joint
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.strategy import DealerPolicy, TableStrategy
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.banluck.solvers.table.two_seats import SeatValues
from croupier.errors import InputError
from croupier.texts import say

_WORKERS = 2

#: Turns the solution's play of one side, where the other player's cards are known, into another.
_Change = Callable[[Floats], Floats]

#: Who decides, what is seen, and by action how often it is taken and what it is worth.


class TwoPlayerPrices:
    """A solved table of two, with its sums at hand; a :class:`~croupier.banluck.analysis.table_prices.TablePrices`.

    Parameters
    ----------
    solution
        The table; its strategies stay as they are, but for whom another way to play is asked about.
    """

    def __init__(self, solution: TableSolution) -> None:
        self.solution = solution
        self.rules = solution.rules
        assert isinstance(solution.strategy, TableStrategy), "a table of two"
        self.strategy = solution.strategy
        self.game = TwoPlayerGame(self.rules)
        self._sums = self.game.table.seat_sums(self.strategy.seats)
        self._start = self.game.start(self.strategy.surrender)
        hands = self.game.table.dealer
        self._kinds = [kind_of(int(hands.hands[choice]), self.rules) for choice in hands.choices]

    @property
    def note(self) -> str:
        """What to know about the prices of hands."""
        return "Where a Ban hand or a bust lies open, the cards are out of the pack, and the figures change a little."

    @property
    def how(self) -> str:
        """How the prices are found, in a sentence."""
        return say("several.how.exact")

    # ---- dealers

    def habit_value(self, habit: Habit) -> Priced:
        """Return what a dealer of a habit earns from both players together."""
        return self._dealer_value(self._policy(habit), lambda draws: self._known_draws(habit, draws))

    def forgetful_value(self) -> Priced:
        """Return what a dealer earns who opens as the solution does and then forgets the cards, but not how many they were.

        The draws are the best ones for that knowledge. Busts lie open on the table and are remembered.
        """
        return self._dealer_value(
            self.game.table.forgetful_policy(self._sums, self.strategy.dealer), _as_it_is
        )

    def _dealer_value(self, policy: DealerPolicy, draws: _Change) -> Priced:
        """Return what a dealer earns from both players together."""
        game, strategy = self.game, self.strategy
        remaining = self._remaining(_as_it_is, draws)
        by_hand = game.by_dealer_hand(
            game.table.dealer_values(self._sums, policy), strategy.seats, remaining, best=False
        )
        keeps = game.table.dealer.dealt[:, None, None] * (1.0 - strategy.surrender)
        players = float(np.sum(by_hand * keeps)) + float(game.ban_deals.against_ban.sum())
        return Priced(-players)

    def _policy(self, habit: Habit) -> DealerPolicy:
        policy = self.strategy.dealer
        closed = policy.closed.copy()
        for choice, kind in enumerate(self._kinds):
            for first, first_cards in enumerate(PLAYER_CARD_COUNTS):
                for second, second_cards in enumerate(PLAYER_CARD_COUNTS):
                    counts = (first_cards, second_cards)
                    can_open = any(may_be_opened(count, self.rules) for count in counts)
                    way = habit(kind, Closed.of(counts), can_open)
                    if way is not None:
                        action = _action(way, counts, self.game.table.dealer.allowed[first, second])
                        closed[choice, first, second] = np.arange(len(ClosedAction)) == action
        return DealerPolicy(
            closed,
            tuple(self._known_draws(habit, draws) for draws in policy.first_known),
            tuple(self._known_draws(habit, draws) for draws in policy.second_known),
        )

    def _known_draws(self, habit: Habit, draws: Floats) -> Floats:
        """Return draws against one closed player by a habit; ``draws`` ends with hand of choice and card count."""
        found = draws.copy()
        for choice, kind in enumerate(self._kinds):
            for column, count in enumerate(PLAYER_CARD_COUNTS):
                way = habit(kind, Closed.of((count,)), may_be_opened(count, self.rules))
                if way is not None:
                    found[..., choice, column] = way is DealerWay.DRAW
        return found

    # ---- a rule to remember

    def best_rule(self) -> DealerRule:
        """Return the rule that does in each case what is best on average over the dealer's hands, everything else as solved."""
        dealer, policy = self.game.table.dealer, self.strategy.dealer
        worth = self.game.table.dealer_values(self._sums, policy).action_value
        reach = self._reach()
        units: dict[tuple[Kind, Closed], dict[DealerWay, float]] = defaultdict(
            lambda: dict.fromkeys(DealerWay, 0.0)
        )
        possible: dict[tuple[Kind, Closed], set[DealerWay]] = defaultdict(set)
        for choice, kind in enumerate(self._kinds):
            hand = dealer.choices[choice]
            for first, first_cards in enumerate(PLAYER_CARD_COUNTS):
                for second, second_cards in enumerate(PLAYER_CARD_COUNTS):
                    counts, allowed = (first_cards, second_cards), dealer.allowed[first, second]
                    brings = reach[hand, first, second] * worth[choice, first, second]
                    actions = {way: _action(way, counts, allowed) for way in DealerWay}
                    for closed in _told_apart(counts, self.rules):
                        for way, action in actions.items():
                            units[kind, closed][way] += float(brings[action])
                        possible[kind, closed] |= {way for way, action in actions.items() if _is(way, action)}
        return DealerRule(
            {place: min(possible[place], key=found.__getitem__) for place, found in units.items()}
        )

    def _reach(self) -> Floats:
        """Return in how many orders the dealer comes to each hand while both players are closed, by their card counts."""
        dealer, closed = self.game.table.dealer, self.strategy.dealer.closed
        reach = np.zeros((len(dealer.hands), COUNTS, COUNTS))
        reach += self._start[:, None, None]
        for hand in range(len(dealer.hands)):
            if dealer.by_total[hand] == ENDS:
                continue
            goes = reach[hand]
            if dealer.by_total[hand] == CHOICE:
                goes = goes * closed[dealer.choice_of[hand], :, :, ClosedAction.DRAW]
            after = dealer.child[hand]
            np.add.at(reach, after[after >= 0], goes)
        return reach

    # ---- seats

    def seat_values(self, hit: Floats) -> tuple[Priced, ...]:
        """Return what each seat would earn if it alone hit with these probabilities, whatever it sees of the other."""
        game, play = self.game, self.strategy.seats
        values, seats = self._seat_values, game.table.seats
        first = SeatReply.of(seats, values.first_stand, values.first_over, hit, best=False).value
        second = sum(
            SeatReply.of(seats, stand, over, hit, best=False).value
            for stand, over in zip(values.second_stand, values.second_over, strict=True)
        )
        remaining = self._remaining(lambda _: hit, _as_it_is)
        busts = sum(share * remaining[hand].value for hand, share in game.reached_busts(play).items())
        bans = sum(
            float(deals().orders[hand]) * game.order_probability(hand) * remaining[hand].value
            for hand in game.ban_hands.values()
        )
        keeps = game.table.dealer.dealt[:, None, None] * (1.0 - self.strategy.surrender)
        shown = game.ban_deals.against_ban + np.einsum("sdfg,dfg->s", game.ban_deals.shown, keeps)
        return Priced(float(first + bans + shown[0])), Priced(float(second + busts + bans + shown[1]))

    def seat_choices(self, held: Multiset) -> list[TableChoice]:
        """Return what each seat does with a hand while both are in it, and what that is worth.

        Raises
        ------
        InputError
            If the hand leaves nothing to decide.
        """
        hand = multiset_index(held)
        seats, play, values = self.game.table.seats, self.strategy.seats, self._seat_values
        if not seats.acts[hand] or seats.must_hit[hand]:
            raise InputError(f"{format_multiset(held)} leaves a player nothing to decide under these rules")
        reach = self._seat_reach(hand)
        found = [
            _seat_choice("player 1", "the other is in", play.first[hand], values.first_stand[hand],
                         self._difference(values.first_stand, values.first_over, play.first)[hand], reach[0])
        ]  # fmt: skip
        for column, count in enumerate(PLAYER_CARD_COUNTS):
            stand, over, hit = values.second_stand[column], values.second_over[column], play.second[column]
            difference = self._difference(stand, over, hit)[hand]
            seen = f"player 1 holds {count} cards"
            found.append(_seat_choice("player 2", seen, hit[hand], stand[hand], difference, reach[1][column]))
        return found

    def dealer_choices(self, held: Multiset, counts: Sequence[int]) -> list[TableChoice]:
        """Return what the dealer does with a hand against two closed players of these card counts.

        Raises
        ------
        InputError
            If there are not two card counts from 2 to 5, or the hand leaves nothing to decide.
        """
        if len(counts) != 2 or not set(counts) <= set(PLAYER_CARD_COUNTS):
            raise InputError(f"card counts {', '.join(map(str, counts))}: say two numbers from 2 to 5")
        table = self.game.table
        places = np.flatnonzero(table.dealer.hands == multiset_index(held))
        choice = int(table.dealer.choice_of[places[0]]) if len(places) else -1
        if choice < 0:
            raise InputError(f"{format_multiset(held)} leaves a dealer nothing to decide under these rules")
        first, second = (PLAYER_CARD_COUNTS.index(count) for count in counts)
        own = slice(*table.seats.first_of_count[first : first + 2])
        sums = table.lists[first].sum_of[:, places[0]]
        weights = np.where(sums >= 0, self._sums.weight[first][sums, second, 1], 0.0)
        reach = float(self._sums.final[0][own] @ weights)
        worth = table.dealer_values(self._sums, self.strategy.dealer).action_value[choice, first, second]
        names = ("stand", "draw", "open player 1", "open player 2")
        allowed = np.flatnonzero(table.dealer.allowed[first, second])
        chosen = self.strategy.dealer.closed[choice, first, second]
        return [
            TableChoice(
                "dealer",
                f"players hold {counts[0]} and {counts[1]} cards",
                {names[action]: float(chosen[action]) for action in allowed},
                {names[action]: -float(worth[action]) / reach for action in allowed},
            )
        ]

    def _difference(self, stand: Floats, over: Floats, hit: Floats) -> Floats:
        return SeatReply.of(self.game.table.seats, stand, over, hit, best=False).difference

    def _seat_reach(self, hand: int) -> tuple[float, Floats]:
        """Return how likely one order of a hand is while both seats are in: for the first, and for the second by the first one's card count."""
        game = self.game
        table, counts = game.table, deals().counts
        pairs = np.flatnonzero(table.seats.dealt)
        dealt = np.flatnonzero(table.dealer.dealt)
        weight = np.zeros((len(pairs), len(table.dealer.hands)))
        fill_joint(weight, counts[pairs], dealt, counts[table.dealer.hands[dealt]], game.pack - counts[hand])
        first = game.order_probability(hand) * float(table.seats.dealt[pairs] @ weight @ self._start)
        number = int(deals().card_count[hand]) - MIN_CARDS
        row = int(table.seats.place[hand] - table.seats.first_of_count[number])
        sums = table.lists[number].sum_of[row]
        weights = np.where(sums[:, None] >= 0, self._sums.weight[number][sums, :, 0], 0.0)
        return first, self._start @ weights

    @cached_property
    def _seat_values(self) -> SeatValues:
        return self.game.table.seat_values(self._sums, self.strategy.dealer, self._start)

    def _remaining(self, hits: _Change, draws: _Change) -> dict[int, RemainingPlay]:
        """Value what is left after Ban hands and busts, with other play of either side."""
        game = self.game
        shown = {hand: kind for kind, hand in game.ban_hands.items()}

        def valued(item: tuple[Multiset, tuple[Floats, Floats]]) -> tuple[int, RemainingPlay]:
            known, (hit, draw) = item
            hand = multiset_index(known)
            start = game.start(self.strategy.surrender, shown.get(hand, Shown.NOTHING))
            part = RemainingGame(game.table, deals().counts[hand])
            return hand, part.play(hits(hit), draws(draw), start)

        with ThreadPoolExecutor(_WORKERS) as pool:
            return dict(pool.map(valued, self.strategy.remaining.items()))


def _seat_choice(
    who: str, seen: str, hit: float, stand: float, difference: float, reach: float
) -> TableChoice:
    hits = float(hit)
    worth = {"hit": float(stand + difference) / reach, "stand": float(stand) / reach}
    return TableChoice(who, seen, {"hit": hits, "stand": 1.0 - hits}, worth)


def _as_it_is(play: Floats) -> Floats:
    return play


def _told_apart(counts: tuple[int, int], rules: BanluckRules) -> list[Closed]:
    """Return what a dealer tells apart by card counts: everything alike, where the dealer must not look."""
    if rules.reveal != "none":
        return [Closed.of(counts)]
    return [Closed.of(held) for held in combinations_with_replacement(PLAYER_CARD_COUNTS, 2)]


def _opens(counts: tuple[int, int], allowed: Flags) -> ClosedAction | None:
    """Return the opening of a player that a dealer begins with: one of three or five cards before one of four."""
    actions = (ClosedAction.OPEN_FIRST, ClosedAction.OPEN_SECOND)
    may = [(is_odd(count), action) for count, action in zip(counts, actions, strict=True) if allowed[action]]
    return next((action for odd, action in sorted(may, key=lambda item: not item[0])), None)


def _action(way: DealerWay, counts: tuple[int, int], allowed: Flags) -> ClosedAction:
    """Return the action of a way, or what the rules make of it."""
    if way is DealerWay.DRAW and allowed[ClosedAction.DRAW]:
        return ClosedAction.DRAW
    if way is DealerWay.STAND and allowed[ClosedAction.STOP]:
        return ClosedAction.STOP
    return _opens(counts, allowed) or ClosedAction.STOP


def _is(way: DealerWay, action: ClosedAction) -> bool:
    """Tell whether an action is what a way says, and not only what the rules make of it."""
    opens = action in (ClosedAction.OPEN_FIRST, ClosedAction.OPEN_SECOND)
    named = {ClosedAction.DRAW: DealerWay.DRAW, ClosedAction.STOP: DealerWay.STAND}
    return way is (DealerWay.OPEN if opens else named[action])
