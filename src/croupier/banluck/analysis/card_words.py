"""What stands on a card to carry beside the charts: the edge, the special hands, and the rules, in words."""

from itertools import groupby
from typing import NamedTuple

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.multisets import MULTISETS, format_multiset
from croupier.banluck.engine.permissions import may_surrender, openable
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS
from croupier.banluck.solvers.strategy import Shown

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}

#: Edges and prices below this many units in a hundred are nothing to a family.
_NOTHING = 0.005


class SpecialHand(NamedTuple):
    """A hand that pays more than the bet: its name, what it consists of, and what it pays to one."""

    name: str
    cards: str
    pays: str


def special_hands(rules: BanluckRules) -> tuple[SpecialHand, ...]:
    """List the special hands, strongest first.

    >>> [f"{hand.name} {hand.pays}" for hand in special_hands(BanluckRules(pays_777=21))]
    ['Ban Ban 3:1', 'Ban Luck 2:1', '777 21:1', 'five-card 21 3:1', 'five cards 2:1']
    """
    ordinary = f"{rules.player_minimum} to 20" if rules.five_card_below_minimum == "forfeit" else "under 21"
    rows = [
        ("Ban Ban", "two aces dealt", rules.pays_ban_ban),
        ("Ban Luck", "ace and 10, J, Q or K dealt", rules.pays_ban_luck),
        ("777", "three sevens", rules.pays_777),
        ("five-card 21", "five cards, exactly 21", rules.pays_five_card_21),
        ("five cards", f"five cards, {ordinary}", rules.pays_five_card),
    ]
    return tuple(
        SpecialHand(name, cards, f"{pays:g}:1")
        for name, cards, pays in rows
        if rules.special_777 or name != "777"
    )


def edge_in_words(solution: Solution) -> str:
    """Say who has the edge, and how much luck is in a hand.

    >>> from croupier import banluck
    >>> edge_in_words(banluck.solve())
    'Of every 100 units bet, the dealer keeps 1.19 on average. Luck is larger: one hand swings by 1.06 units. Deal in turns with equal bets, and nobody has an edge.'
    """
    won = 100 * solution.value
    swing = f"Luck is larger: one hand swings by {solution.standard_deviation:.2f} units."
    if abs(won) < _NOTHING:
        return f"Nobody has an edge. One hand swings by {solution.standard_deviation:.2f} units."
    who = (
        f"the dealer keeps {-won:.2f} on average"
        if won < 0
        else f"players win {won:.2f} of the dealer on average"
    )
    return f"Of every 100 units bet, {who}. {swing} Deal in turns with equal bets, and nobody has an edge."


def price_in_words(player_cost: float, dealer_cost: float) -> str:
    """Say what it costs to play by the charts and not by the exact strategy, against whoever knows it.

    >>> price_in_words(0.0, 0.00123)
    'Playing by these charts costs a player nothing and a dealer 0.12 units in 100 hands, even against an opponent who knows them.'
    """
    player, dealer = (
        f"{100 * cost:.2f} units in 100 hands" if 100 * cost >= _NOTHING else "nothing"
        for cost in (player_cost, dealer_cost)
    )
    return f"Playing by these charts costs a player {player} and a dealer {dealer}, even against an opponent who knows them."


def rules_in_words(rules: BanluckRules) -> tuple[str, ...]:
    """Write the rules in sentences: a family reads what it agreed on.

    >>> rules_in_words(BanluckRules())[0]
    'An ace counts 10 or 11 in two cards, 1 or 10 in three or more.'
    """
    return (
        _aces(rules),
        *_players(rules),
        _dealer(rules),
        _opening(rules),
        *_busts(rules),
        _five_cards(rules),
        "A dealer who wins with a special hand is paid its multiple."
        if rules.dealer_collects_multiples
        else "Special hands pay players only; a player never loses more than "
        + ("the bet." if rules.five_card_bust_player == 1 else "twice the bet."),
    )


def surrender_in_words(solution: Solution) -> str:
    """Say which hard 15s the dealer should give back, by what is shown.

    >>> from croupier import banluck
    >>> surrender_in_words(banluck.solve())
    'Dealer with two cards of 15 without an ace, before anything is shown: give the hand back with T-5, 9-6 and 8-7.'
    """
    rules, book = solution.rules, solution.book
    if rules.surrender == "none":
        return "Nobody may give a hand back."
    hands = [hand for hand in MULTISETS[:TWO_CARD_HANDS] if may_surrender(hand, rules)]
    seen = {
        Shown.NOTHING: "before anything is shown"
        if rules.surrender == "blind"
        else "if no player shows a Ban hand",
        Shown.BAN_LUCK: "against Ban Luck",
        Shown.BAN_BAN: "against Ban Ban",
    }
    parts = []
    for shown, words in seen.items():
        if shown is Shown.NOTHING or rules.surrender == "after_specials":
            given = [
                format_multiset(hand)
                for hand in hands
                if book.surrender_advice(hand, shown).best == "surrender"
            ]
            parts.append(
                f"{words}: give the hand back with {_listed(given)}" if given else f"{words}: play on"
            )
    return f"Dealer with two cards of 15 without an ace, {'; '.join(parts)}."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _aces(rules: BanluckRules) -> str:
    parts: list[str] = []
    groups = groupby(range(MIN_CARDS, MAX_CARDS + 1), key=rules.ace_choices)
    for choices, counts in groups:
        first, *rest = counts
        last = rest[-1] if rest else first
        cards = (
            f"{_NUMBERS[first]} or more"
            if last == MAX_CARDS and rest
            else " or ".join(_NUMBERS[count] for count in (first, *rest))
        )
        parts.append(
            f"{' or '.join(map(str, choices))} in {cards}{' cards' if first == MIN_CARDS and not parts else ''}"
        )
    return f"An ace counts {', '.join(parts)}."


def _players(rules: BanluckRules) -> list[str]:
    least = rules.player_minimum
    below = (
        f"A player below {least} must hit."
        if rules.below_minimum == "must_hit"
        else f"A player who stands below {least} loses, even if the dealer busts."
    )
    five = f"Five cards below {least} {'lose' if rules.five_card_below_minimum == 'forfeit' else 'count as five cards'}."
    return [below, five]


def _dealer(rules: BanluckRules) -> str:
    low, high = rules.dealer_minimum, rules.dealer_choice_max
    if high < low:
        return f"The dealer draws below {low} and stands from {low} on."
    choice = f"at {low}" if low == high else f"from {low} to {high}"
    return f"The dealer draws below {low}, chooses {choice}, and stands above."


def _opening(rules: BanluckRules) -> str:
    if rules.reveal == "none" or rules.dealer_choice_max < rules.dealer_minimum:
        return "The dealer opens nobody before the end."
    may = "must" if rules.reveal == "mandatory" else "may"
    return f"At a total of choice the dealer {may} open {openable(rules)} before drawing."


def _busts(rules: BanluckRules) -> list[str]:
    found = [
        "If both bust, nobody wins." if rules.both_bust == "push" else "A player who busts loses at once."
    ]
    for who, price in (
        ("player", rules.five_card_bust_player),
        ("dealer", rules.five_card_bust_dealer),
    ):
        if price > 1:
            found.append(f"A {who} who busts on the fifth card pays {price}.")
    return found


def _five_cards(rules: BanluckRules) -> str:
    if rules.five_card_mirror == "push":
        return "Five cards against five cards: nobody wins."
    return "Five cards against five cards: the higher total wins 1:1."
