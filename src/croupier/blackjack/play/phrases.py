"""The words of a table: what can be chosen, what is asked, what has happened and what it came to."""

from fractions import Fraction

from croupier.blackjack.engine import Action, ActionKind, BlackjackRules, Phase, RoundState, Turn
from croupier.cards import ACE_CLASS, POINT_CLASSES, format_cards, point_class_of_rank, rank_of
from croupier.texts import figure, in_row, say

#: What a person can choose, with its key.
KEYS = {
    ActionKind.HIT: "h",
    ActionKind.STAND: "s",
    ActionKind.DOUBLE: "d",
    ActionKind.SPLIT: "p",
    ActionKind.SURRENDER: "r",
    ActionKind.KEEP: "k",
    ActionKind.INSURE: "i",
    ActionKind.DECLINE: "n",
}


#: Options that the summary of a table names where they are set.
_SPECIAL = (
    *("ties_lose", "natural_always_wins", "double_any_cards", "double_rescue", "surrender_any_cards"),
    *("free_doubles", "free_splits"),
)


def label_of(kind: ActionKind) -> str:
    """Return what the button of a choice says.

    >>> label_of(ActionKind.KEEP)
    'Keep the hand'
    """
    return say(f"blackjack.do.{kind.value}")


def way_phrase(name: str) -> str:
    """Name a choice in a sentence.

    >>> way_phrase("decline")
    'decline'
    """
    return say(f"blackjack.way.{name}")


def hand_name(state: RoundState, turn: Turn) -> str:
    """Name a hand where there are several.

    >>> from croupier.blackjack.engine import start_round
    >>> hand_name(start_round(BlackjackRules(), bets=[1, 1]), Turn(1, 0))
    'Hand 2'
    """
    key = "one_of" if len(state.seats) > 1 else "your"
    part = "_part" if len(state.seats[turn.seat].hands) > 1 else ""
    return say(f"blackjack.name.{key}{part}", number=turn.seat + 1, part=turn.hand + 1)


def prompt_of(state: RoundState) -> str:
    """Say what is asked of the player, or how the round ended.

    >>> from croupier.blackjack.engine import deal, start_round
    >>> from croupier.cards import parse_cards
    >>> prompt_of(deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 6C")], parse_cards("9C KD")))
    'Your hand: 16 against 9.'
    """
    if state.is_over:
        return say("blackjack.prompt.over", gained=gained(0.0 - state.bank_result, person=True))
    turn, up_card = state.turn, state.up_card
    assert turn is not None, "a player is to decide"
    assert up_card is not None, "the cards are dealt"
    name = hand_name(state, turn)
    match state.phase:
        case Phase.EARLY_SURRENDER:
            key = "early_surrender"
        case Phase.INSURANCE if is_even_money(state, turn.seat):
            key = "even_money"
        case Phase.INSURANCE:
            key = "insurance"
        case _:
            key = "turn"
    return say(
        f"blackjack.prompt.{key}",
        name=name,
        value=str(state.hand_value(*turn)),
        up_card=str(state.dealer_value) if state.rules.hole_card == "open" else up_card_name(up_card),
        premium=money(state.seats[turn.seat].bet / 2),
    )


def events_of(state: RoundState) -> tuple[str, ...]:
    """Say what has happened since the last choice, that choice included; at the start of a round, since the deal.

    >>> from croupier.blackjack.engine import deal, dealer_stand, stand, start_round
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 8C")], parse_cards("9C KD"))
    >>> events_of(state), events_of(dealer_stand(stand(state)))
    ((), ('You stand.', 'The dealer stands at 19.'))
    """
    choices = [place for place, action in enumerate(state.history) if action.kind in KEYS]
    since = choices[-1] if choices else 1
    return tuple(_sentence(state, action) for action in state.history[since:])


def _sentence(state: RoundState, action: Action) -> str:
    key = action.kind.value.replace("-", "_")
    if action.kind is ActionKind.PEEK:
        key = "peek_natural" if state.dealer_natural else "peek"
    elif action.kind not in (ActionKind.DRAW, ActionKind.DEALER_STAND):
        several = len(state.seats) > 1 and action.seat is not None
        key = f"{'hand' if several else 'you'}_{key}"
    if action.kind is ActionKind.DOUBLE and state.rules.doubled_card == "closed" and not state.is_over:
        key += "_closed"
    return say(
        f"blackjack.told.{key}",
        number=(action.seat or 0) + 1,
        cards=format_cards(action.cards, symbols=True),
        value=str(state.dealer_value) if action.kind is ActionKind.DEALER_STAND else "",
    )


def is_even_money(state: RoundState, seat: int) -> bool:
    """Tell whether insuring a seat is what tables call even money."""
    rules = state.rules
    pays_three_to_two = rules.natural_fraction == Fraction(3, 2) and not rules.natural_always_wins
    return state.hand_value(seat).is_natural and pays_three_to_two


def money(amount: float) -> str:
    """Write money: whole numbers as they are, else to the hundredth.

    >>> money(1500), money(2.5)
    ('1,500', '2.50')
    """
    return figure(amount, ",.0f" if float(amount).is_integer() else ",.2f")


def signed_money(amount: float) -> str:
    """Write money that was won or lost.

    >>> signed_money(7.5), signed_money(-1500), signed_money(0)
    ('+7.50', '−1,500', '0')
    """
    return figure(amount, "+,.0f" if float(amount).is_integer() else "+,.2f") if amount else "0"


def gained(amount: float, *, person: bool = False) -> str:
    """Say what was won or lost.

    >>> gained(7.5), gained(-5, person=True), gained(0)
    ('wins 7.50', 'lose 5', 'breaks even')
    """
    key = "won" if amount > 0 else "lost" if amount < 0 else "even"
    return say(f"blackjack.{'you' if person else 'it'}.{key}", amount=money(abs(amount)))


def up_card_name(card: int) -> str:
    """Name an up-card in a sentence.

    >>> up_card_name(51), up_card_name(0)
    ('an ace', '2')
    """
    letter = POINT_CLASSES[point_class_of_rank(rank_of(card))]
    return say("blackjack.hand.ace") if letter == "A" else {"T": "10"}.get(letter, letter)


def row_phrase(row: str) -> str:
    """Name a row of a chart, or an up-card.

    >>> row_phrase("soft 17"), row_phrase("T,T"), row_phrase("16"), row_phrase("T")
    ('soft 17', '10,10', '16', '10')
    """
    if row.startswith("soft "):
        return say("blackjack.hand.soft", total=row.removeprefix("soft "))
    return row.replace("T", "10")


def shown_name(card: int) -> str:
    """Say what the dealer's up-card shows.

    >>> shown_name(51), shown_name(0)
    ('shows an ace', 'shows 2')
    """
    is_ace = point_class_of_rank(rank_of(card)) == ACE_CLASS
    return (
        say("blackjack.hand.shows_ace") if is_ace else say("blackjack.hand.shows", up_card=up_card_name(card))
    )


def rules_summary(rules: BlackjackRules) -> str:
    """Say in one line what sort of table it is.

    >>> rules_summary(BlackjackRules(decks=2, soft17="hit", surrender="late"))
    '2 decks · hits soft 17 · blackjack pays 3:2 · peek · double any two cards · up to 4 hands · late surrender'
    >>> rules_summary(BlackjackRules(dealer_22_pushes=True)).split(" · ")[-1]
    "a dealer's 22 pushes"
    """
    parts = [
        say("blackjack.rules.infinite")
        if rules.decks == "infinite"
        else say("blackjack.rules.decks", decks=rules.decks),
        say(f"blackjack.rules.soft17_{rules.soft17}"),
        say("blackjack.rules.natural_pays", ratio=rules.natural_pays)
        if rules.natural_beats_21
        else say("blackjack.rules.no_natural"),
        say(f"blackjack.rules.{rules.hole_card.replace('-', '_')}"),
        say(f"blackjack.rules.double_{rules.double}")
        if rules.double in ("any", "none")
        else say("blackjack.rules.double", totals=rules.double),
        say("blackjack.rules.split", hands=rules.split_hands)
        if rules.split_hands > 1
        else say("blackjack.rules.no_split"),
        say(f"blackjack.rules.surrender_{rules.surrender.replace('-', '_')}"),
    ]
    parts += [say(f"blackjack.rules.{name}") for name in _SPECIAL if getattr(rules, name)]
    if rules.bonus_21 != "none":
        parts.append(say(f"blackjack.rules.bonus_{rules.bonus_21.replace('-', '_')}"))
    if rules.redoubles:
        parts.append(say("blackjack.rules.redoubles", times=rules.redoubles))
    if rules.split_hands > 1 and rules.never_split != "none":
        parts.append(say("blackjack.rules.never_split", ranks=rules.never_split.replace(" ", ", ")))
    if rules.surrender != "none" and rules.surrender_loss != Fraction(1, 2):
        parts.append(say("blackjack.rules.surrender_returns", part=rules.surrender_returns))
    if not rules.ten_spots:
        parts.insert(1, say("blackjack.rules.no_tens"))
    if rules.shuffle == "continuous":
        parts.insert(1, say("blackjack.rules.continuous"))
    if rules.dealer_22_pushes:
        parts.append(say("blackjack.rules.dealer_22"))
    if rules.charlie != "off":
        parts.append(say("blackjack.rules.charlie", cards=rules.charlie))
    if rules.twenty_one_pays_at_once:
        parts.append(say("blackjack.rules.twenty_one"))
    return in_row(parts, "list.dots")
