"""Text for people: a state, an action, and a whole hand told in sentences."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from croupier.banluck.engine.actions import legal_actions, steps
from croupier.banluck.engine.hand import HandClass, HandValue
from croupier.banluck.engine.observation import DEALER, dealer_is_open, is_to_act, seat_is_open
from croupier.banluck.engine.rules import BANLUCK, MAX_CARDS, BanluckRules
from croupier.banluck.engine.settlement import Settlement, forfeits
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase
from croupier.cards import format_card, format_cards
from croupier.texts import say

_CLOSED_CARD = "░░"

#: What a person does, in one word.
ACTION_VERBS = {
    ActionKind.SURRENDER: "surrender",
    ActionKind.KEEP: "keep",
    ActionKind.HIT: "hit",
    ActionKind.STAND: "stand",
    ActionKind.REVEAL: "open",
    ActionKind.DRAW: "draw",
    ActionKind.DEALER_STAND: "stand",
}


def hand_name(value: HandValue, rules: BanluckRules) -> str:
    """Name a hand as its table does: under the rules of xì dách, or rules near them, in Vietnamese.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.banluck.engine.rules import presets
    >>> from croupier.cards import parse_cards
    >>> two_aces, rules = parse_cards("AS AH"), presets["xi-dach"]
    >>> hand_name(evaluate(two_aces, rules), rules), hand_name(evaluate(two_aces, BanluckRules()), BanluckRules())
    ('xì bàn', 'Ban Ban')
    """
    if not _is_xi_dach(rules):
        return str(value)
    match value.hand_class:
        case HandClass.BAN_BAN:
            return say("banluck.hand.xi_ban")
        case HandClass.BAN_LUCK:
            return say("banluck.hand.xi_dach")
        case HandClass.FIVE_CARD | HandClass.FIVE_CARD_21:
            return say("banluck.hand.ngu_linh", total=value.total)
        case HandClass.BUST:
            return say("banluck.hand.quac", total=value.total)
        case _:
            return str(value)


@lru_cache(maxsize=32)
def _is_xi_dach(rules: BanluckRules) -> bool:
    return BANLUCK.nearest(rules).name == "xi-dach"


def describe(state: GameState, viewer: int | None = None) -> str:
    """Tell a state in a few lines; a viewer (a seat, or DEALER) sees no closed cards of the others.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, deal, describe, new_hand
    >>> from croupier.cards import parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> print(describe(state, viewer=0))
    dealer    ░░ ░░
    player 1  T♥ 6♣  16
    now: player 1 hits or player 1 stands
    """
    if state.phase is Phase.DEAL:
        return f"an empty table for {_count(len(state.seats), 'player')}\nnow: the cards are dealt"
    lines = [f"dealer    {describe_dealer(state, viewer)}"]
    lines += [f"player {seat + 1}  {describe_seat(state, seat, viewer)}" for seat in range(len(state.seats))]
    lines.append(
        f"over: the dealer {_gains(state.dealer_result)}" if state.is_over else f"now: {_due(state, viewer)}"
    )
    return "\n".join(lines)


def _due(state: GameState, viewer: int | None) -> str:
    """Say what can be done now. What somebody else may do would tell of closed cards, so only who is to act is said."""
    if viewer is None or is_to_act(state, viewer) or state.phase is Phase.SPECIALS:
        return " or ".join(describe_action(action) for action in legal_actions(state))
    return f"{'the dealer' if state.turn is None else f'player {state.turn + 1}'} is to act"


def describe_dealer(state: GameState, viewer: int | None = None) -> str:
    """Write the dealer's cards and value, as far as the viewer sees them."""
    hidden = viewer not in (None, DEALER) and not dealer_is_open(state)
    return (
        shown_cards((None,) * len(state.dealer_cards))
        if hidden
        else _open(state.dealer_cards, state.dealer_value, state.rules)
    )


def describe_seat(state: GameState, seat: int, viewer: int | None = None) -> str:
    """Write a player's cards, value and result, as far as the viewer sees them."""
    player = state.seats[seat]
    if viewer not in (None, seat) and not seat_is_open(state, seat):
        return shown_cards((None,) * len(player.cards))
    result = "" if player.settlement is None else f"  {describe_settlement(player.settlement)}"
    return describe_hand(state, seat) + result


def describe_hand(state: GameState, seat: int) -> str:
    """Write a player's cards and value."""
    return _open(state.seats[seat].cards, state.hand_value(seat), state.rules)


def describe_action(action: Action) -> str:
    """Say who does what.

    >>> describe_action(Action(ActionKind.REVEAL, 2))
    'the dealer opens player 3'
    """
    player = "" if action.seat is None else f"player {action.seat + 1}"
    return {
        ActionKind.DEAL: "the cards are dealt",
        ActionKind.SURRENDER: "the dealer surrenders",
        ActionKind.KEEP: "the dealer keeps the hand",
        ActionKind.SHOW: "Ban hands are shown",
        ActionKind.HIT: f"{player} hits",
        ActionKind.STAND: f"{player} stands",
        ActionKind.REVEAL: f"the dealer opens {player}",
        ActionKind.DRAW: "the dealer draws",
        ActionKind.DEALER_STAND: "the dealer stands",
    }[action.kind]


def describe_settlement(settlement: Settlement) -> str:
    """Say what a player won or lost, and why.

    >>> from croupier.banluck.engine.settlement import Outcome
    >>> describe_settlement(Settlement(-1.0, Outcome.FORFEIT))
    'loses 1 unit (below the minimum)'
    """
    reason = say(f"banluck.reason.{settlement.outcome.name.lower()}")
    if not settlement.units:
        return say("banluck.settled.back", reason=reason)
    key = "banluck.settled.won" if settlement.units > 0 else "banluck.settled.lost"
    return say(key, units=abs(settlement.units), reason=reason)


def narrate(state: GameState) -> Iterator[str]:
    """Tell a hand from the deal to the present, a sentence at a time, with all cards open."""
    for before, action, after in steps(state):
        yield from _sentences(before, after, action)
    if state.is_over:
        yield f"Over: the dealer {_gains(state.dealer_result)}."


def shown_cards(cards: Sequence[int | None]) -> str:
    """Write cards with their symbols; None is a closed one.

    >>> shown_cards((48, None))
    'A♣ ░░'
    """
    return " ".join(_CLOSED_CARD if card is None else format_card(card, symbols=True) for card in cards)


def _sentences(before: GameState, after: GameState, action: Action) -> Iterator[str]:
    sentence = describe_action(action)
    sentence = sentence[0].upper() + sentence[1:]
    match action.kind:
        case ActionKind.DEAL:
            hands = [f"player {seat + 1} {describe_hand(after, seat)}" for seat in range(len(after.seats))]
            yield f"{sentence}: {', '.join(hands)}; dealer {describe_dealer(after)}."
        case ActionKind.HIT if action.seat is not None:
            cards = after.seats[action.seat].cards
            announced = ", the fifth card, announced" if len(cards) == MAX_CARDS else ""
            name = hand_name(after.hand_value(action.seat), after.rules)
            yield f"{sentence}{announced}: {format_cards(action.cards, symbols=True)}, now {name}."
        case ActionKind.STAND if action.seat is not None:
            value = after.hand_value(action.seat)
            name = hand_name(value, after.rules)
            how = f", {name}" if value.is_bust else f" on {name}"
            yield f"{sentence}{how}{' and forfeits' if forfeits(value, after.rules) else ''}."
        case ActionKind.DRAW:
            name = hand_name(after.dealer_value, after.rules)
            yield f"{sentence}: {format_cards(action.cards, symbols=True)}, now {name}."
        case ActionKind.REVEAL | ActionKind.DEALER_STAND:
            yield f"{sentence} at {hand_name(after.dealer_value, after.rules)}."
        case _:
            yield f"{sentence}."
    for seat in before.closed_seats:
        settlement = after.seats[seat].settlement
        if settlement is not None:
            yield f"  Player {seat + 1} with {describe_hand(after, seat)} {describe_settlement(settlement)}."


def _open(cards: tuple[int, ...], value: HandValue, rules: BanluckRules) -> str:
    return say("banluck.hand.held", cards=format_cards(cards, symbols=True), name=hand_name(value, rules))


def _gains(units: float) -> str:
    if units == 0:
        return "breaks even"
    return f"{'wins' if units > 0 else 'loses'} {_count(abs(units), 'unit')}"


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}{'' if number == 1 else 's'}"
