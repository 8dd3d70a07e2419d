"""A coach beside the player: what each action is exactly worth from the cards that are left, and what a choice cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.blackjack.engine import Action, ActionKind, BlackjackRules, RoundState, Session
from croupier.blackjack.engine.side_bets import JSON_KEYS
from croupier.blackjack.play.count import seen_cards
from croupier.blackjack.solvers.hand_values import hand_values
from croupier.blackjack.solvers.removal import insurance_value
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.side_bets import CardCounts, side_bet_values
from croupier.blackjack.solvers.table_facts import table_facts
from croupier.cards import ACE_CLASS, TEN_CLASS, point_class, rank_of
from croupier.operations import is_allowed

#: A higher total is bust.
BUST_ABOVE = 21

#: Cards of a deal to one player.
_DEAL = 4


@dataclass(frozen=True, slots=True)
class Advice:
    """What each action of one decision is worth, in initial bets of the seat.

    Attributes
    ----------
    worths
        By the name of the action. Once the dealer has peeked, they are the values when there is no natural; before that,
        and at tables without a peek, a natural is among what can come. Insurance is valued by itself: declining it is 0.
    bust
        The chance that the next card busts the hand in turn, by the cards that have not been seen; None before the turns.

    Examples
    --------
    >>> advice = Advice({"stand": -0.54, "hit": -0.52})
    >>> advice.best, round(advice.cost("stand"), 2), advice.cost("hit")
    ('hit', 0.02, 0.0)
    """

    worths: dict[str, float]
    bust: float | None = None

    @property
    def best(self) -> str:
        """The best action."""
        return max(self.worths, key=lambda name: self.worths[name])

    def cost(self, name: str) -> float:
        """Return what an action gives away against the best one, in initial bets."""
        return self.worths[self.best] - self.worths[name]


def verify_advise(rules: BlackjackRules) -> None:
    """Raise a RulesError if there are no exact values under these rules.

    >>> verify_advise(BlackjackRules(hole_card="no-peek-original-bet", charlie=5))
    Traceback (most recent call last):
    croupier.rulebook.errors.RulesError: options 'hole_card' and 'twenty_one_pays_at_once' or 'charlie': what a hand paid at once owes \
to a later natural is not defined under hole_card = "no-peek-original-bet"; use "no-peek" or "peek"
    """
    table_facts(rules, ACE_CLASS)


def can_advise(rules: BlackjackRules) -> bool:
    """Tell whether there are exact values under these rules."""
    return is_allowed(verify_advise, rules)


def advise(session: Session, legal: Sequence[Action]) -> Advice:
    """Price the actions that a player may choose from, by all cards of this shoe that have been seen.

    A hand of a split is priced as if it were the only one that is still to be split again.

    Parameters
    ----------
    session
        A table at which a player is to decide.
    legal
        The actions to be priced: the legal ones, or those that the player can pay for.

    Raises
    ------
    RulesError
        If there are no exact values under the rules; see :func:`verify_advise`.

    Examples
    --------
    >>> from croupier.blackjack.engine import legal_actions
    >>> session = Session.opened(BlackjackRules(decks=4), seed=3).start_round(bets=[5])
    >>> advice = advise(session, legal_actions(session.table.state))
    >>> print(advice.best, "of", *sorted(advice.worths))
    stand of double hit stand
    """
    state = _state(session)
    unseen = ShoeCounts.full(session.rules).without(rank_of(card) for card in seen_cards(session))
    names = {action.kind.value for action in legal}
    if ActionKind.DECLINE in names:
        worths = {"insure": insurance_value(unseen) / 2, "decline": 0.0}
        return Advice({name: worth for name, worth in worths.items() if name in names})
    priced = before_the_peek(_priced(session), _open_chance_of_natural(state, unseen))
    if ActionKind.KEEP in names:
        playing_on = max(worth for name, worth in priced.items() if name != ActionKind.SURRENDER)
        return Advice({"keep": playing_on, "surrender": priced["surrender"]})
    worths = {name: worth for name, worth in priced.items() if name in names}
    return Advice(worths, _chance_of_bust(state, unseen))


def side_values(session: Session) -> dict[str, float]:
    """Return what a unit on each side bet of the next round is exactly worth, by all cards of this shoe that have been seen.

    Empty if so few cards are left that a round cannot be dealt from them.

    Examples
    --------
    >>> values = side_values(Session.opened(BlackjackRules(decks=6), seed=3))
    >>> round(values["royal_match"], 4)
    -0.0667
    """
    shoe = CardCounts.full(session.rules)
    is_mixed = session.shoe.needs_shuffle or session.rules.shuffle == "continuous"
    if not (is_mixed or session.shoe.is_infinite):
        shoe = shoe.without(seen_cards(session))
    if shoe.cards < _DEAL:
        return {}
    return {JSON_KEYS[bet.name]: bet.value for bet in side_bet_values(session.rules, shoe)}


def _chance_of_bust(state: RoundState, unseen: ShoeCounts) -> float | None:
    """Return the chance that the next card busts the hand in turn, with every ace counted as one."""
    turn = state.turn
    if turn is None:
        return None
    total = sum(_lowest_points(point_class(card)) for card in state.seats[turn.seat].hands[turn.hand].cards)
    busting = sum(
        count for place, count in enumerate(unseen.classes) if total + _lowest_points(place) > BUST_ABOVE
    )
    return float(busting / unseen.cards)


def _lowest_points(place: int) -> int:
    """Return what a card of a point class counts at least.

    >>> _lowest_points(0), _lowest_points(TEN_CLASS), _lowest_points(ACE_CLASS)
    (2, 10, 1)
    """
    return 1 if place == ACE_CLASS else place + 2


def chance_of_natural(rules: BlackjackRules, up_card: int, unseen: ShoeCounts) -> float:
    """Return the chance that an unseen card makes a natural of an up-card, given by its point class.

    >>> full = ShoeCounts.full(BlackjackRules(decks=1))
    >>> round(chance_of_natural(BlackjackRules(decks=1), ACE_CLASS, full.without([12])) * 51)
    16
    """
    partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(up_card)
    if partner is None or not rules.natural_beats_21:
        return 0.0
    return float(max(unseen.classes[partner], 0.0) / unseen.cards)


def before_the_peek(worths: dict[str, float], natural: float) -> dict[str, float]:
    """Turn values when there is no natural into values that count the bet lost to one.

    >>> before_the_peek({"stand": 0.5}, natural=0.25)
    {'stand': 0.125}
    """
    return {name: (1.0 - natural) * worth - natural for name, worth in worths.items()}


def _open_chance_of_natural(state: RoundState, unseen: ShoeCounts) -> float:
    """Return the chance of a natural that the values of hands leave out and the table does not know of yet.

    They leave it out where it takes the original bet only, whatever is done; see :mod:`croupier.blackjack.solvers.up_card`.
    """
    if state.dealer_natural is not None or state.rules.hole_card == "no-peek" or state.up_card is None:
        return 0.0
    return chance_of_natural(state.rules, point_class(state.up_card), unseen)


def _priced(session: Session) -> dict[str, float]:
    """Value the hand in turn, with the other cards that have been seen out of the shoe."""
    state = _state(session)
    turn = state.turn
    assert turn is not None, "a player is to decide"
    assert state.up_card is not None, "the cards are dealt"
    hand = state.seats[turn.seat].hands[turn.hand]
    own, shown = [rank_of(card) for card in hand.cards], [rank_of(state.up_card)]
    if session.rules.hole_card == "open":
        shown.append(rank_of(state.dealer_cards[1]))
    removed = [rank_of(card) for card in seen_cards(session)]
    for rank in (*own, *shown):
        removed.remove(rank)
    others, rules = len(state.seats[turn.seat].hands) - 1, session.rules
    if others:
        rules = rules.replaced({"split_hands": max(rules.split_hands - others, 1)})
    hole_card = shown[1] if len(shown) > 1 else None
    return hand_values(
        rules, own, shown[0], removed, hole_card=hole_card, doubles=hand.doubles, is_free=hand.is_free
    ).actions


def _state(session: Session) -> RoundState:
    assert session.table is not None, "a round is being played"
    return session.table.state
