"""Every action's expected value for one hand against one up-card, from any shoe."""

from dataclasses import dataclass

from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import why_not_split
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import analyse_hand, is_open_natural, up_card_table
from croupier.blackjack.solvers.hands import hand_space, hands_from, hands_with
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.cards import RANK_LETTERS, CardError, parse_rank, point_class_of_rank

HAND_HELP = "write ranks such as 8,8 or A,2,4"


@dataclass(frozen=True, slots=True)
class HandValues:
    """What each legal action is worth, in initial bets.

    Where the dealer peeks, the decision is taken when there is no natural, and the values are conditional on that.

    Examples
    --------
    >>> values = hand_values(BlackjackRules(decks="infinite"), parse_ranks("A-7"), parse_up_card("3"))
    >>> values.best.value, round(values["stand"], 4)
    ('double', 0.1483)
    """

    hand: str
    up_card: str
    total: int
    is_soft: bool
    actions: dict[str, float]

    @property
    def best(self) -> Move:
        """The best action."""
        return Move(max(self.actions, key=lambda action: self.actions[action]))

    @property
    def title(self) -> str:
        """The hand, its total and the up-card."""
        return f"{self.hand} ({'soft ' if self.is_soft else ''}{self.total}) against {self.up_card}"

    @property
    def ranked(self) -> dict[str, float]:
        """The actions with their values, the best first."""
        return dict(sorted(self.actions.items(), key=lambda entry: -entry[1]))

    def __getitem__(self, action: str) -> float:
        return self.actions[action]

    def __str__(self) -> str:
        width = max(map(len, self.actions))
        return "\n".join(
            [self.title, *(f"{action:<{width}}  {worth:+.4f}" for action, worth in self.ranked.items())]
        )

    def _repr_html_(self) -> str:
        """Show the values in a notebook, the best first."""
        rows = "".join(
            f"<tr><td>{action}</td><td>{worth:+.6f}</td></tr>" for action, worth in self.ranked.items()
        )
        return f"<table><tr><th>{self.title}</th><th>worth, bets</th></tr>{rows}</table>"


def parse_ranks(text: str, what: str = "hand") -> list[int]:
    """Read ranks separated by commas, dashes or spaces, or not at all.

    Examples
    --------
    >>> [RANK_LETTERS[rank] for rank in parse_ranks("A,2,10")]
    ['A', '2', 'T']
    >>> parse_ranks("T-6") == parse_ranks("T,6") == parse_ranks("T6")
    True
    >>> parse_ranks("8,1")
    Traceback (most recent call last):
    croupier.cards.card.CardError: hand '8,1': no rank '1'; write ranks such as 8,8 or A,2,4
    """
    tokens = text.replace(",", " ").replace("-", " ").split()
    if len(tokens) == 1 and tokens[0] != "10":
        tokens = list(tokens[0].replace("10", "T"))
    ranks = []
    for token in tokens:
        rank = parse_rank(token)
        if rank is None:
            raise CardError(f"{what} '{text}': no rank '{token}'; {HAND_HELP}")
        ranks.append(rank)
    return ranks


def parse_up_card(text: str) -> int:
    """Read the rank of an up-card.

    >>> parse_up_card("T,6")
    Traceback (most recent call last):
    croupier.cards.card.CardError: up-card 'T,6': one rank, such as T or A
    """
    ranks = parse_ranks(text, what="up-card")
    if len(ranks) != 1:
        raise CardError(f"up-card '{text}': one rank, such as T or A")
    return ranks[0]


def parse_shown(text: str, rules: BlackjackRules) -> tuple[int, int | None]:
    """Read the ranks of the dealer's open cards: one up-card, or two cards where both lie open.

    >>> parse_shown("T", BlackjackRules(hole_card="open"))
    Traceback (most recent call last):
    croupier.cards.card.CardError: up-card 'T': both of the dealer's cards lie open here; write two ranks, such as T,6
    """
    if rules.hole_card != "open":
        return parse_up_card(text), None
    ranks = parse_ranks(text, what="up-card")
    if len(ranks) != 2:
        raise CardError(
            f"up-card '{text}': both of the dealer's cards lie open here; write two ranks, such as T,6"
        )
    return ranks[0], ranks[1]


def shown_hand_values(
    rules: BlackjackRules, hand: str, shown: str, removed: list[int] | None = None
) -> HandValues:
    """Return what each action is worth with a hand against the dealer's open cards, all as text.

    >>> values = shown_hand_values(BlackjackRules(hole_card="open", ties_lose=True), "T,T", "T,T")
    >>> {action: round(value, 3) for action, value in values.ranked.items()}
    {'hit': -0.844, 'stand': -1.0, 'double': -1.688, 'split': -1.701}
    """
    up_card, hole_card = parse_shown(shown, rules)
    return hand_values(rules, parse_ranks(hand), up_card, removed, hole_card=hole_card)


def hand_values(
    rules: BlackjackRules,
    hand: list[int],
    up_card: int,
    removed: list[int] | None = None,
    *,
    hole_card: int | None = None,
    doubles: int = 0,
    is_free: bool = False,
) -> HandValues:
    """Return what each action is worth with a hand of ranks against an up-card's rank.

    Parameters
    ----------
    removed
        Ranks of cards that are known to be out of the shoe.
    hole_card
        The rank of the dealer's other card where both lie open.
    doubles
        How often the hand has been doubled.
    is_free
        Whether it was split with a free bet.

    Examples
    --------
    >>> values = hand_values(BlackjackRules(decks="infinite"), parse_ranks("T,6"), parse_ranks("T")[0])
    >>> {str(action): round(value, 4) for action, value in values.actions.items()}
    {'stand': -0.5404, 'hit': -0.5398, 'double': -1.0797}
    """
    text = ",".join(RANK_LETTERS[rank] for rank in hand)
    if len(hand) < 2:
        raise CardError(f"hand '{text}': a hand has two cards or more; {HAND_HELP}")
    shoe = ShoeCounts.full(rules).without(removed or [])
    if (hole_card is None) == (rules.hole_card == "open"):
        raise CardError(
            f"hand '{text}': the dealer's second card is given where both cards lie open, and only there"
        )
    shown = [up_card] if hole_card is None else [up_card, hole_card]
    shoe.without([*shown, *hand])  # the cards must be there
    points = [point_class_of_rank(rank) for rank in shown]
    letters = ",".join(RANK_LETTERS[rank] for rank in shown)
    if len(points) > 1 and is_open_natural(rules, points[0], points[1]):
        raise CardError(f"up-card '{letters}' is a natural; there is nothing left to decide")
    classes = tuple(sorted(point_class_of_rank(rank) for rank in hand))
    space = hand_space()
    if not space.holds(classes):
        raise CardError(f"hand '{text}' is bust; there is nothing left to decide")
    index = space.find(classes)
    # A pair may be split, so its cards count one by one.
    is_pair = len(hand) == 2 and classes[0] == classes[1]
    hands = hands_with(classes[0]) if is_pair else hands_from(index)
    table = up_card_table(rules, shoe, points[0], points[1] if len(points) > 1 else None, hands)
    total, is_soft = int(space.total[index]), bool(space.is_soft[index])
    if doubles:
        actions = _given_no_natural(table, index, table.doubled_actions(index, doubles))
    elif is_free:
        pair_left = _pair_left(table, shoe, hand, shown) if len(hand) == 2 else None
        actions = _given_no_natural(table, index, table.free_actions(index, pair_left))
    elif len(hand) == 2:
        actions = analyse_hand(
            table, index, (classes[0], classes[1]), 1.0, _split(table, shoe, hand, shown)
        ).actions
    else:
        actions = _longer_hand(table, index)
    return HandValues(text, letters, total, is_soft, actions)


def _longer_hand(table: UpCard, index: int) -> dict[str, float]:
    joint = {Move.STAND: float(table.stand[index])}
    if table.is_open[index]:
        joint[Move.HIT] = float(table.hit[index])
    if table.may_double[index]:
        joint[Move.DOUBLE] = float(table.double[index])
    if table.may_give_up[index]:
        joint[Move.SURRENDER] = table.given_up(index, table.facts.surrender_loss)
    return _given_no_natural(table, index, joint)


def _given_no_natural(table: UpCard, index: int, joint: dict[Move, float]) -> dict[str, float]:
    """Turn values that are joint with no natural into those given that there is none."""
    alive = 1.0 - table.chance_of_natural(index) if table.facts.natural_point >= 0 else 1.0
    return {str(move): worth / alive for move, worth in joint.items()}


def _split(table: UpCard, shoe: ShoeCounts, hand: list[int], shown: list[int]) -> float | None:
    pair_left = _pair_left(table, shoe, hand, shown)
    if pair_left is None:
        return None
    point, hit_or_stand = point_class_of_rank(hand[0]), table.hits_or_stands()
    return table.split(point, pair_left, table.best_decisions(), hit_or_stand)


def _pair_left(table: UpCard, shoe: ShoeCounts, hand: list[int], shown: list[int]) -> float | None:
    """Return how many cards are left that make a pair with those of a pair; None if it may not be split."""
    if why_not_split(table.rules, hand[0], hand[1]) is not None:
        return None
    left, point = shoe.without([*shown, *hand]), point_class_of_rank(hand[0])
    return float(left.ranks[hand[0]] if table.rules.split_by == "rank" else left.classes[point])
