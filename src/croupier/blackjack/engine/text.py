"""Text for people: a state, an action, and a whole round told in sentences."""

from collections.abc import Iterator
from fractions import Fraction

from croupier.blackjack.engine.actions import act, legal_actions
from croupier.blackjack.engine.betting import start_round
from croupier.blackjack.engine.hand import HandValue
from croupier.blackjack.engine.settlement import Outcome, Settlement
from croupier.blackjack.engine.state import Action, ActionKind, Phase, RoundState, Seat, Turn
from croupier.cards import format_cards

#: A viewer who sees the hole card; a player sees through the number of the seat.
DEALER = -1

_CLOSED_CARD = "░░"


def describe(state: RoundState, viewer: int | None = None) -> str:
    """Tell a state in a few lines; a viewer who is a seat does not see the hole card before it is turned over.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules, deal, describe, start_round
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> print(describe(state, viewer=0))
    dealer    9♣ ░░
    player 1  T♥ 6♣  16, 10 units
    now: player 1 hits or player 1 stands or player 1 doubles
    """
    if state.phase is Phase.DEAL:
        bets = ", ".join(
            f"player {number + 1} bets {_units(seat.bet)}" for number, seat in enumerate(state.seats)
        )
        return f"{bets}\nnow: the cards are dealt"
    lines = [f"dealer    {describe_dealer(state, viewer)}"]
    for seat in range(len(state.seats)):
        lines += [f"player {seat + 1}  {line}" for line in describe_seat(state, seat)]
    actions = [describe_action(action) for action in legal_actions(state)]
    lines.append(f"now: {' or '.join(actions)}" if actions else f"over: the bank {_gains(state.bank_result)}")
    return "\n".join(lines)


def describe_dealer(state: RoundState, viewer: int | None = None) -> str:
    """Write the dealer's cards and value, as far as the viewer sees them."""
    if viewer in (None, DEALER) or state.hole_card_is_open:
        return _open(state.dealer_cards, state.dealer_value)
    closed = len(state.dealer_cards) - len(state.visible_dealer_cards)
    return " ".join([format_cards(state.visible_dealer_cards, symbols=True), *[_CLOSED_CARD] * closed])


def describe_seat(state: RoundState, seat: int) -> Iterator[str]:
    """Write a player's hands, one a line, and the bets beside them."""
    player = state.seats[seat]
    for place, hand in enumerate(player.hands):
        result = (
            _units(hand.stake)
            if hand.settlement is None
            else describe_settlement(hand.settlement, hand.stake)
        )
        is_next = state.phase is Phase.PLAYERS and state.turn == (seat, place)
        marker = "  <" if is_next and len(player.hands) > 1 else ""
        yield f"{_hand(state, Turn(seat, place))}, {result}{marker}"
    if player.insurance:
        gain = state.insurance_result(seat)
        yield f"insurance {_units(player.insurance)}" + ("" if gain is None else f": {_gains(gain)}")
    yield from _side_bets(player)


def describe_action(action: Action) -> str:
    """Say who does what.

    >>> describe_action(Action(ActionKind.SPLIT, 2))
    'player 3 splits'
    """
    player = "" if action.seat is None else f"player {action.seat + 1}"
    return {
        ActionKind.DEAL: "the cards are dealt",
        ActionKind.SURRENDER: f"{player} surrenders",
        ActionKind.KEEP: f"{player} keeps the hand",
        ActionKind.INSURE: f"{player} insures",
        ActionKind.DECLINE: f"{player} declines insurance",
        ActionKind.PEEK: "the dealer looks at the hole card",
        ActionKind.COMPLETE: f"{player} gets a second card",
        ActionKind.HIT: f"{player} hits",
        ActionKind.STAND: f"{player} stands",
        ActionKind.DOUBLE: f"{player} doubles",
        ActionKind.SPLIT: f"{player} splits",
        ActionKind.DRAW: "the dealer draws",
        ActionKind.DEALER_STAND: "the dealer stands",
    }[action.kind]


def describe_settlement(settlement: Settlement, stake: float) -> str:
    """Say what a hand won or lost, and why.

    >>> describe_settlement(Settlement(-5.0, Outcome.SURRENDER), stake=10)
    'loses 5 units (surrender)'
    """
    reason = {
        Outcome.NATURAL: "natural",
        Outcome.TWENTY_ONE: "21 is paid at once",
        Outcome.CHARLIE: "charlie",
        Outcome.WIN: "the better hand",
        Outcome.DEALER_BUST: "the dealer is bust",
        Outcome.PUSH: "equal hands",
        Outcome.RETURNED: "the dealer's natural takes the original bet only",
        Outcome.SURRENDER: "surrender",
        Outcome.LOSS: "the dealer's hand wins",
        Outcome.BUST: "bust",
        Outcome.DEALER_NATURAL: "the dealer's natural",
    }[settlement.outcome]
    gains = _gains(settlement.units) if settlement.units else f"gets {_units(stake)} back"
    return f"{gains} ({reason})"


def narrate(state: RoundState) -> Iterator[str]:
    """Tell a round from the bets to the present, a sentence at a time, with all cards open."""
    before = start_round(
        state.rules, [seat.bet for seat in state.seats], [seat.side_bets for seat in state.seats]
    )
    for action in state.history:
        after = act(before, action)
        yield from _sentences(before, after, action)
        before = after
    if state.is_over:
        yield f"Over: the bank {_gains(state.bank_result)}."


def _sentences(before: RoundState, after: RoundState, action: Action) -> Iterator[str]:
    sentence = describe_action(action)
    sentence = sentence[0].upper() + sentence[1:]
    match action.kind:
        case ActionKind.DEAL:
            hands = [f"player {seat + 1} {_hand(after, Turn(seat, 0))}" for seat in range(len(after.seats))]
            yield f"{sentence}: {', '.join(hands)}; dealer {_open(after.dealer_cards, after.dealer_value)}."
            for number, seat in enumerate(after.seats):
                yield from (f"  Player {number + 1}: {line}." for line in _side_bets(seat))
        case ActionKind.INSURE if action.seat is not None:
            yield f"{_even_money(after, action.seat) or sentence}."
        case ActionKind.PEEK:
            yield f"{sentence}: {'a natural' if after.dealer_natural else 'no natural'}."
        case ActionKind.COMPLETE | ActionKind.HIT | ActionKind.DOUBLE if before.turn is not None:
            value = after.hand_value(*before.turn)
            cards = format_cards(action.cards, symbols=True)
            yield f"{sentence}{_which_hand(before)}: {cards}, now {value}."
        case ActionKind.STAND if before.turn is not None:
            yield f"{sentence}{_which_hand(before)} on {after.hand_value(*before.turn)}."
        case ActionKind.SPLIT if before.turn is not None:
            pair = before.seats[before.turn.seat].hands[before.turn.hand].cards
            yield f"{sentence} {format_cards(pair, symbols=True)}{_which_hand(before)}."
        case ActionKind.DRAW:
            yield f"{sentence}: {format_cards(action.cards, symbols=True)}, now {after.dealer_value}."
        case ActionKind.DEALER_STAND:
            yield f"{sentence} at {after.dealer_value}."
        case _:
            yield f"{sentence}."
    yield from _results(before, after)


def _results(before: RoundState, after: RoundState) -> Iterator[str]:
    """Tell what an action settled."""
    for number, seat in enumerate(after.seats):
        shown = before.seats[number].hands
        for place, hand in enumerate(seat.hands):
            was_open = len(shown) != len(seat.hands) or shown[place].is_open
            if hand.settlement is not None and was_open:
                result = describe_settlement(hand.settlement, hand.stake)
                yield f"  Player {number + 1} with {_hand(after, Turn(number, place))} {result}."
        gain = after.insurance_result(number)
        if seat.insurance and gain is not None and before.insurance_result(number) is None:
            yield f"  Player {number + 1}'s insurance {_gains(gain)}."


def _side_bets(seat: Seat) -> Iterator[str]:
    for bet in seat.side_settlements:
        yield f"{bet.name}, {bet.kind or 'nothing'}, {_gains(bet.units)}"


def _even_money(state: RoundState, seat: int) -> str | None:
    """Say it as tables do where an insured natural comes to the bet either way: it pays 3 to 2."""
    is_three_to_two = state.rules.natural_fraction == Fraction(3, 2) and not state.rules.natural_always_wins
    if state.hand_value(seat).is_natural and is_three_to_two:
        return f"Player {seat + 1} takes even money"
    return None


def _which_hand(state: RoundState) -> str:
    """Name the hand in turn where its player has several."""
    turn = state.turn
    if turn is None or len(state.seats[turn.seat].hands) == 1:
        return ""
    return f" (hand {turn.hand + 1})"


def _hand(state: RoundState, turn: Turn) -> str:
    return _open(state.seats[turn.seat].hands[turn.hand].cards, state.hand_value(*turn))


def _open(cards: tuple[int, ...], value: HandValue) -> str:
    return f"{format_cards(cards, symbols=True)}  {value}"


def _gains(units: float) -> str:
    if units == 0:
        return "breaks even"
    return f"{'wins' if units > 0 else 'loses'} {_units(abs(units))}"


def _units(number: float) -> str:
    return f"{number:.10g} unit{'' if number == 1 else 's'}"
