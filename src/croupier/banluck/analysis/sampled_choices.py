"""What everybody does with a hand at a table of three players and more, priced on sampled deals."""

import math
from collections.abc import Sequence

from croupier.banluck.analysis.action_prices import GROUPS, sampled_prices
from croupier.banluck.analysis.counts_plan import CountsPlan
from croupier.banluck.analysis.table_choice import TableChoice
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import DEALER, Action, ActionKind, Observation
from croupier.banluck.engine.multisets import Multiset, format_multiset, multiset_index
from croupier.banluck.engine.observation import SeenHand
from croupier.banluck.engine.rules import MIN_CARDS
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.situations import DRAW, OPEN, STOP
from croupier.cards import CARDS_OF_CLASS
from croupier.errors import InputError

#: Deals of a group; there are as many groups as for the coach.
GROUP_DEALS = 10_000


class SampledChoices:
    """What each seat and the dealer do with a hand, by the strategies of a solved table of three players and more.

    The prices are the coach's, from more deals.
    """

    def __init__(self, solution: TableSolution, group_deals: int = GROUP_DEALS) -> None:
        assert isinstance(solution.strategy, CountsStrategy), "a table of three and more"
        self.strategy = solution.strategy
        self.plan = CountsPlan.of(solution.rules, self.strategy)
        self._deals = group_deals

    @property
    def note(self) -> str:
        """What to know about the figures."""
        return (
            f"Measured on {GROUPS * self._deals:,} deals each, with one standard error. "
            "Ban hands and busts that lie open are not taken into account."
        )

    def seat_choices(self, held: Multiset) -> list[TableChoice]:
        """Return what each seat does with a hand: nobody shows a Ban hand, and earlier players all hold two cards, or all three.

        Raises
        ------
        InputError
            If the hand leaves nothing to decide.
        """
        hand = multiset_index(held)
        if not self.plan.acts[hand] or self.plan.must_hit[hand]:
            raise InputError(f"{format_multiset(held)} leaves a player nothing to decide under these rules")
        found = [self._seat_choice(0, held, 2)]
        for seat in range(1, self.strategy.players):
            found += [self._seat_choice(seat, held, cards) for cards in (2, 3)]
        return [choice for choice in found if not _is_unknown(choice)]

    def dealer_choices(self, held: Multiset, counts: Sequence[int]) -> list[TableChoice]:
        """Return what the dealer does with a hand against closed players of these card counts.

        Raises
        ------
        InputError
            If there is not a card count from 2 to 5 for each player, the hand leaves nothing to decide, or no player ever stops there.
        """
        players = self.strategy.players
        if len(counts) != players or not set(counts) <= set(PLAYER_CARD_COUNTS):
            raise InputError(f"card counts {', '.join(map(str, counts))}: say {players} numbers from 2 to 5")
        place = int(self.plan.cards.choice[multiset_index(held)])
        if place < 0:
            raise InputError(f"{format_multiset(held)} leaves a dealer nothing to decide under these rules")
        state = self.plan.closed_state(counts)
        allowed = self.plan.situations.allowed[state]
        actions = {"stand": Action(ActionKind.DEALER_STAND)} if allowed[STOP] else {}
        places = {"stand": STOP, "draw": DRAW}
        if allowed[DRAW]:
            actions["draw"] = Action(ActionKind.DRAW)
        for seat, count in enumerate(counts):
            name, place = (
                f"open a hand of {count}",
                OPEN + int(self.plan.situations.kind_of[count - MIN_CARDS]),
            )
            if allowed[place] and name not in actions:
                actions[name], places[name] = Action(ActionKind.REVEAL, seat), place
        chances = self.strategy.dealer.closed[state, place]
        hands = tuple(SeenHand((None,) * count) for count in counts)
        stood = tuple(Action(ActionKind.STAND, seat) for seat in range(players))
        seen = Observation(DEALER, SeenHand(_some_cards(held)), hands, stood, tuple(actions.values()))
        shares = {name: float(chances[places[name]]) for name in actions}
        choice = self._priced("dealer", f"players hold {_listed(counts)} cards", shares, seen)
        if _is_unknown(choice):
            raise InputError(
                f"the solved players never stop at {_listed(counts)} cards; say other card counts"
            )
        return [choice]

    def _seat_choice(self, seat: int, held: Multiset, cards: int) -> TableChoice:
        """Price a seat's hand after earlier players have all stopped at a card count."""
        closed = SeenHand((None,) * MIN_CARDS)
        hands = [SeenHand((None,) * cards)] * seat + [SeenHand(_some_cards(held))]
        hands += [closed] * (self.strategy.players - seat - 1)
        stood = tuple(Action(ActionKind.STAND, earlier) for earlier in range(seat))
        actions = (Action(ActionKind.HIT, seat), Action(ActionKind.STAND, seat))
        earlier = (seat, 0) if cards == MIN_CARDS else (0, seat)
        hits = float(self.strategy.seat_hits(seat, *earlier)[multiset_index(held)])
        sight = "the first to play" if seat == 0 else f"earlier players hold {cards} cards"
        seen = Observation(seat, closed, tuple(hands), stood, actions)
        return self._priced(f"player {seat + 1}", sight, {"hit": hits, "stand": 1.0 - hits}, seen)

    def _priced(self, who: str, sight: str, shares: dict[str, float], seen: Observation) -> TableChoice:
        prices = sampled_prices(seen, self.plan, group_deals=self._deals)
        worth = dict(zip(shares, (prices.worth[action] for action in seen.actions), strict=True))
        return TableChoice(who, sight, shares, worth, prices.error)


def _is_unknown(choice: TableChoice) -> bool:
    """Tell whether the strategies never lead to a situation, so that it has no price."""
    return any(math.isnan(units) for units in choice.worth.values())


def _some_cards(held: Multiset) -> tuple[int, ...]:
    """Return cards of a multiset; which suits they have does not matter.

    >>> from croupier.cards import format_cards
    >>> format_cards(_some_cards((0, 0, 9)))
    '2C 2D AC'
    """
    return tuple(CARDS_OF_CLASS[point][held[:place].count(point)] for place, point in enumerate(held))


def _listed(counts: Sequence[int]) -> str:
    """Write numbers as people say them.

    >>> _listed((2, 3, 2))
    '2, 3 and 2'
    """
    *first, last = map(str, counts)
    return f"{', '.join(first)} and {last}"
