"""The words of a table: what can be chosen, what is asked, what has happened and what it came to."""

from fractions import Fraction

from croupier.blackjack.engine import Action, ActionKind, BlackjackRules, Outcome, Phase, RoundState, Turn
from croupier.cards import POINT_CLASSES, format_cards, point_class_of_rank, rank_of

#: What a person can choose: its label and its key.
LABELS = {
    ActionKind.HIT: ("Hit", "h"),
    ActionKind.STAND: ("Stand", "s"),
    ActionKind.DOUBLE: ("Double", "d"),
    ActionKind.SPLIT: ("Split", "p"),
    ActionKind.SURRENDER: ("Surrender", "r"),
    ActionKind.KEEP: ("Keep the hand", "k"),
    ActionKind.INSURE: ("Insure", "i"),
    ActionKind.DECLINE: ("No insurance", "n"),
}

#: How a hand ended, in a word or two.
OUTCOMES = {
    Outcome.NATURAL: "blackjack",
    Outcome.TWENTY_ONE: "21, paid at once",
    Outcome.CHARLIE: "charlie",
    Outcome.WIN: "wins",
    Outcome.DEALER_BUST: "the dealer is bust",
    Outcome.PUSH: "push",
    Outcome.RETURNED: "bet returned",
    Outcome.SURRENDER: "surrendered",
    Outcome.LOSS: "loses",
    Outcome.BUST: "bust",
    Outcome.DEALER_NATURAL: "the dealer has a blackjack",
}


#: What a person has done, as said to that person and as said of one of several hands.
_DONE = {
    ActionKind.HIT: ("hit", "hits"),
    ActionKind.STAND: ("stand", "stands"),
    ActionKind.DOUBLE: ("double", "doubles"),
    ActionKind.SPLIT: ("split", "splits"),
    ActionKind.SURRENDER: ("surrender", "surrenders"),
    ActionKind.KEEP: ("keep the hand", "is kept"),
    ActionKind.INSURE: ("insure", "is insured"),
    ActionKind.DECLINE: ("take no insurance", "is not insured"),
    ActionKind.COMPLETE: ("get a second card", "gets a second card"),
}


def hand_name(state: RoundState, turn: Turn) -> str:
    """Name a hand where there are several.

    >>> from croupier.blackjack.engine import start_round
    >>> hand_name(start_round(BlackjackRules(), bets=[1, 1]), Turn(1, 0))
    'Hand 2'
    """
    name = f"Hand {turn.seat + 1}" if len(state.seats) > 1 else "Your hand"
    return f"{name}, part {turn.hand + 1}" if len(state.seats[turn.seat].hands) > 1 else name


def prompt_of(state: RoundState) -> str:
    """Say what is asked of the player, or how the round ended.

    >>> from croupier.blackjack.engine import deal, start_round
    >>> from croupier.cards import parse_cards
    >>> prompt_of(deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 6C")], parse_cards("9C KD")))
    'Your hand: 16 against 9.'
    """
    if state.is_over:
        return f"You {gained(0.0 - state.bank_result, person=True)}."
    turn, up_card = state.turn, state.up_card
    assert turn is not None, "a player is to decide"
    assert up_card is not None, "the cards are dealt"
    name = hand_name(state, turn)
    match state.phase:
        case Phase.EARLY_SURRENDER:
            return f"{name}: give up {state.hand_value(*turn)} against {up_card_name(up_card)}, before the dealer looks?"
        case Phase.INSURANCE if is_even_money(state, turn.seat):
            return f"{name}: the dealer shows an ace. Even money for your blackjack?"
        case Phase.INSURANCE:
            premium = money(state.seats[turn.seat].bet / 2)
            return f"{name}: the dealer shows an ace. Insurance for {premium}?"
        case _:
            return f"{name}: {state.hand_value(*turn)} against {up_card_name(up_card)}."


def events_of(state: RoundState) -> tuple[str, ...]:
    """Say what has happened since the last choice, that choice included; at the start of a round, since the deal.

    >>> from croupier.blackjack.engine import deal, dealer_stand, stand, start_round
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 8C")], parse_cards("9C KD"))
    >>> events_of(state), events_of(dealer_stand(stand(state)))
    ((), ('You stand.', 'The dealer stands at 19.'))
    """
    choices = [place for place, action in enumerate(state.history) if action.kind in LABELS]
    since = choices[-1] if choices else 1
    return tuple(_sentence(state, action) for action in state.history[since:])


def _sentence(state: RoundState, action: Action) -> str:
    cards = f": {format_cards(action.cards, symbols=True)}" if action.cards else ""
    match action.kind:
        case ActionKind.PEEK:
            return "The dealer looks for a blackjack" + (" and has it." if state.dealer_natural else ".")
        case ActionKind.DRAW:
            return f"The dealer draws{cards}."
        case ActionKind.DEALER_STAND:
            return f"The dealer stands at {state.dealer_value}."
        case _:
            mine, of_hand = _DONE[action.kind]
            several = len(state.seats) > 1 and action.seat is not None
            return f"Hand {(action.seat or 0) + 1} {of_hand}{cards}." if several else f"You {mine}{cards}."


def is_even_money(state: RoundState, seat: int) -> bool:
    """Tell whether insuring a seat is what tables call even money."""
    return state.hand_value(seat).is_natural and state.rules.natural_fraction == Fraction(3, 2)


def money(amount: float) -> str:
    """Write money: whole numbers as they are, else to the hundredth.

    >>> money(1500), money(2.5)
    ('1,500', '2.50')
    """
    return f"{amount:,.0f}" if float(amount).is_integer() else f"{amount:,.2f}"


def signed_money(amount: float) -> str:
    """Write money that was won or lost.

    >>> signed_money(7.5), signed_money(-1500), signed_money(0)
    ('+7.50', '−1,500', '0')
    """
    return "0" if amount == 0 else f"{'+' if amount > 0 else '−'}{money(abs(amount))}"


def gained(amount: float, *, person: bool = False) -> str:
    """Say what was won or lost.

    >>> gained(7.5), gained(-5, person=True), gained(0)
    ('wins 7.50', 'lose 5', 'breaks even')
    """
    ending = "" if person else "s"
    if amount == 0:
        return f"break{ending} even"
    return f"{'win' if amount > 0 else 'lose'}{ending} {money(abs(amount))}"


def up_card_name(card: int) -> str:
    """Name an up-card in a sentence.

    >>> up_card_name(51), up_card_name(0)
    ('an ace', '2')
    """
    letter = POINT_CLASSES[point_class_of_rank(rank_of(card))]
    return {"T": "10", "A": "an ace"}.get(letter, letter)


def rules_summary(rules: BlackjackRules) -> str:
    """Say in one line what sort of table it is.

    >>> rules_summary(BlackjackRules(decks=2, soft17="hit", surrender="late"))
    '2 decks · hits soft 17 · blackjack pays 3:2 · peek · double any two cards · up to 4 hands · late surrender'
    >>> rules_summary(BlackjackRules(dealer_22_pushes=True)).split(" · ")[-1]
    "a dealer's 22 pushes"
    """
    decks = "infinite decks" if rules.decks == "infinite" else f"{rules.decks} deck{'s' * (rules.decks > 1)}"
    parts = [
        decks,
        f"{rules.soft17}s {'on ' if rules.soft17 == 'stand' else ''}soft 17",
        f"blackjack pays {rules.natural_pays}" if rules.natural_beats_21 else "a natural is an ordinary 21",
        {"peek": "peek", "no-peek": "no peek", "no-peek-original-bet": "no peek, original bet only"}[
            rules.hole_card
        ],
        {"any": "double any two cards", "none": "no doubling"}.get(rules.double, f"double {rules.double}"),
        f"up to {rules.split_hands} hands" if rules.split_hands > 1 else "no splitting",
        "no surrender" if rules.surrender == "none" else f"{rules.surrender.replace('-', ' ')} surrender",
    ]
    if rules.shuffle == "continuous":
        parts.insert(1, "shuffled every round")
    if rules.dealer_22_pushes:
        parts.append("a dealer's 22 pushes")
    if rules.charlie != "off":
        parts.append(f"{rules.charlie} cards win")
    if rules.twenty_one_pays_at_once:
        parts.append("21 is paid at once")
    return " · ".join(parts)
