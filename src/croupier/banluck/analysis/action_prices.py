"""What each action is worth to whoever is to act: exact, or from deals that agree with everything that was seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from croupier.banluck.analysis.sampled_deals import ImpossibleDeal, SampledDeals
from croupier.banluck.analysis.table_plans import TablePlan
from croupier.banluck.engine import DEALER, Action, ActionKind, Observation
from croupier.banluck.engine.multisets import multiset_index, multiset_of
from croupier.banluck.engine.observation import SeenHand
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers, deals
from croupier.banluck.solvers.strategy import Shown
from croupier.cards import POINT_CLASSES, point_class

#: Deals of one decision: independent groups, and deals a group.
GROUPS, GROUP_DEALS = 10, 4000


@dataclass(frozen=True, slots=True)
class Prices:
    """What each legal action is worth, in units.

    Attributes
    ----------
    worth
        By action. NaN where the others' strategies never lead there; nothing where it is not known.
    error
        The largest standard error of a difference between two actions; 0 where they are exact.
    """

    worth: Mapping[Action, float]
    error: float = 0.0


def sampled_prices(
    seen: Observation, plan: TablePlan, *, groups: int = GROUPS, group_deals: int = GROUP_DEALS
) -> Prices:
    """Price the actions of a decision at a table of several players, by sampling.

    Hidden hands are dealt and played by the strategies, seat by seat. Deals that do not lead to what was seen are replaced by copies of
    those that do: a particle filter. Every action is then tried on each deal, and everybody plays on by the strategies.
    Groups of deals are independent, and the differences between them give the standard error. The same sight gives the same prices.

    Examples
    --------
    >>> from croupier.banluck.analysis.table_plans import HeadsUpPlan
    >>> from croupier.banluck.engine import BanluckRules, deal, new_hand, observe
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> state = deal(new_hand(rules, 2), [parse_cards("10H 9C"), parse_cards("2H 2C")], parse_cards("9H KD"))
    >>> plan = HeadsUpPlan.of(rules, stand_on(16, rules), classic_dealer(rules))
    >>> prices = sampled_prices(observe(state, 0), plan, group_deals=500)
    >>> prices.worth[Action(ActionKind.STAND, 0)] > prices.worth[Action(ActionKind.HIT, 0)]
    True
    """
    try:
        means = np.array([_group_means(seen, plan, group, group_deals) for group in range(groups)])
    except ImpossibleDeal:
        return Prices(dict.fromkeys(seen.actions, math.nan))
    differences = means[:, :, None] - means[:, None, :]
    error = float(differences.std(axis=0, ddof=1).max()) / math.sqrt(groups)
    return Prices(dict(zip(seen.actions, means.mean(axis=0).tolist(), strict=True)), error)


def _group_means(seen: Observation, plan: TablePlan, group: int, count: int) -> list[float]:
    dealt = _dealt(seen, plan, 2 * group, count)
    return [_mean(dealt.copy(2 * group + 1), seen, action) for action in seen.actions]


def _dealt(seen: Observation, plan: TablePlan, seed: int, count: int) -> SampledDeals:
    """Deal the cards that the viewer has not seen, so that everything else is as it was seen."""
    sample = SampledDeals(plan, _seen_cards(seen), len(seen.seats), count, seed)
    before_bans = any(action.kind is ActionKind.SURRENDER for action in seen.actions) and not _has_shown(seen)
    is_ban = plan.table.is_ban
    opened = [event.seat or 0 for event in seen.events if event.kind is ActionKind.REVEAL]
    for seat, hand in enumerate(seen.seats):
        # Whom the dealer has opened was closed while the seats played.
        sample.closed[:, seat] = hand.settlement is None or seat in opened
        if hand.open_cards:
            sample.hands[:, seat] = _place(hand)
    for seat, hand in enumerate(seen.seats):
        if hand.open_cards:
            continue
        sample.hands[:, seat] = sample.two_cards()
        if not before_bans:
            sample.keep_only(~is_ban[sample.hands[:, seat]])
        if _has_finished(seen, seat):
            sample.play_seat(seat)
            fits = deals().card_count[sample.hands[:, seat]] == len(hand.cards)
            sample.keep_only(fits & sample.closed[:, seat])
    for seat in opened:
        sample.closed[:, seat] = False
    if seen.viewer == DEALER:
        sample.dealer[:] = _place(seen.dealer)
    else:
        sample.dealer = sample.two_cards()
        shown = np.repeat(_shown(seen, plan)[None], count, axis=0)
        kept = sample.decides(plan.keeps(sample.dealer, shown))
        sample.keep_only(kept & ~is_ban[sample.dealer])
    return sample


def _mean(sample: SampledDeals, seen: Observation, action: Action) -> float:
    """Do an action in all deals, let everybody play on, and return what it brought the viewer."""
    everywhere = np.ones(sample.count, dtype=np.bool_)
    match action.kind:
        case ActionKind.SURRENDER:
            return 0.0
        case ActionKind.KEEP:
            for seat in range(len(seen.seats)):
                sample.settle(seat, _held_ban(sample, seat))
        case ActionKind.HIT:
            sample.hands[:, seen.viewer] = sample.grown(sample.hands[:, seen.viewer], everywhere)
            sample.play_seat(seen.viewer)
        case ActionKind.DRAW:
            sample.draw(everywhere)
        case ActionKind.REVEAL if action.seat is not None:
            sample.settle(action.seat, everywhere)
        case ActionKind.DEALER_STAND:
            for seat in range(len(seen.seats)):
                sample.settle(seat, everywhere)
        case _:
            pass
    for seat, hand in enumerate(seen.seats):
        if hand.settlement is None and seat != seen.viewer and not _has_finished(seen, seat):
            sample.play_seat(seat)
    sample.play_dealer()
    units: Floats = -sample.units.sum(axis=1) if seen.viewer == DEALER else sample.units[:, seen.viewer]
    return float(units.mean())


def _held_ban(sample: SampledDeals, seat: int) -> Flags:
    held: Flags = sample.plan.table.is_ban[sample.hands[:, seat]]
    return held


def _seen_cards(seen: Observation) -> Integers:
    """Count the cards that the viewer sees, by point class."""
    cards = [card for hand in (seen.dealer, *seen.seats) for card in hand.open_cards]
    return np.bincount([point_class(card) for card in cards], minlength=len(POINT_CLASSES))


def _place(hand: SeenHand) -> int:
    return multiset_index(multiset_of(hand.open_cards))


def _has_finished(seen: Observation, seat: int) -> bool:
    return Action(ActionKind.STAND, seat) in seen.events


def _has_shown(seen: Observation) -> bool:
    return any(event.kind is ActionKind.SHOW for event in seen.events)


def _shown(seen: Observation, plan: TablePlan) -> Integers:
    """Return what each seat had shown when the dealer kept the hand."""
    shown = np.full(len(seen.seats), Shown.NOTHING)
    if plan.rules.surrender == "after_specials" and _has_shown(seen):
        for seat, hand in enumerate(seen.seats):
            if hand.open_cards:
                shown[seat] = plan.shows[_place(hand)]
    return shown
