"""Text for people: a game at some moment, an action, and a whole game told bout by bout."""

from collections.abc import Iterable, Iterator

from croupier.cards import format_card
from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import JOKERS, card_text, sorted_by_cost
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, GameState

_CLOSED_CARD = "░░"


def describe(state: GameState, viewer: int | None = None) -> str:
    """Tell a state in a few lines; a viewer who is a seat sees of the other hands only what lay open before.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> print(describe(start(DurakRules(), PACK), viewer=0))
    stock     24 cards, trump A♠
    player 1  6♣ 6♦ 6♥ 7♣ 7♦ 6♠
    player 2  ░░ ░░ ░░ ░░ ░░ ░░
    table     empty
    now: player 1 attacks
    """
    stock = f"{state.deck_count} card{'' if state.deck_count == 1 else 's'}" if state.deck_count else "empty"
    lines = [f"stock     {stock}, trump {_card(state.trump)}"]
    for seat in range(len(state.hands)):
        lines.append(f"player {seat + 1}  {_hand_as_seen(state, seat, viewer)}".rstrip())
    lines.append(f"table     {describe_table(state)}")
    lines.append(_situation(state))
    return "\n".join(lines)


def describe_table(state: GameState) -> str:
    """Write the table: each attack card with the card that beat it.

    >>> from croupier.durak.engine.attack import attack
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> describe_table(attack(start(DurakRules(), PACK), 16))
    '6♣'
    """
    pairs = [state.table[place : place + 2] for place in range(0, len(state.table), 2)]
    pairs += [(card,) for card in state.waiting + state.thrown_in]
    return "  ".join("/".join(_card(card) for card in pair) for pair in pairs) or "empty"


def describe_action(action: Action, seat: int) -> str:
    """Say who does what.

    >>> describe_action(Action(ActionKind.DEFEND, (51,)), seat=1)
    'player 2 beats with A♠'
    """
    cards = show_cards(action.cards)
    words = {
        ActionKind.ATTACK: f"plays {cards}",
        ActionKind.DONE: "is done",
        ActionKind.DEFEND: f"beats with {cards}",
        ActionKind.TAKE: "takes",
        ActionKind.THROW_IN: f"throws in {cards}" if cards else "throws in nothing",
        ActionKind.TRANSFER: f"passes on with {cards}",
        ActionKind.SHOW: f"shows {cards} and passes on",
    }
    return f"player {seat + 1} {words[action.kind]}"


def describe_result(state: GameState) -> str:
    """Say how a game ended.

    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> describe_result(start(DurakRules(), PACK))
    'not over'
    """
    if not state.is_over:
        return "not over"
    losers = state.losers
    if not losers:
        if state.holders:
            return f"a draw: {state.takes} takes in a row"
        return f"a draw: {'both' if len(state.hands) == 2 else 'all'} hands are empty"
    left = ", ".join(
        f"player {seat + 1} is left with {len(state.hands[seat])}" for seat in losers if state.hands[seat]
    )
    if state.winner is not None:
        return f"player {state.winner + 1} wins, {left}"
    names = " and ".join(f"player {seat + 1}" for seat in losers)
    return f"{left}: {names} {'is the fool' if len(losers) == 1 else 'have lost'}"


def narrate(state: GameState) -> Iterator[str]:
    """Tell a game from the deal to the present, with all cards open: a bout begins with both hands and the stock."""
    current = start(state.rules, state.deck, state.leader)
    yield f"Trump {_card(state.trump)}. Player {state.leader + 1} leads."
    yield from _bout_lines(current)
    for action in state.history:
        seat = current.to_act
        if seat is None:
            raise AssertionError("nobody acts after the end of a game")
        after = act(current, action)
        yield f"  {_capitalised(describe_action(action, seat))}."
        if after.bout != current.bout:
            yield from _deal_lines(after)
            if not after.is_over:
                yield from _bout_lines(after)
        current = after
    if state.is_over:
        yield f"{_capitalised(describe_result(state))}."


def _bout_lines(state: GameState) -> Iterator[str]:
    hands = [show_cards(sorted_by_cost(hand, state.trump_suit)) for hand in state.hands]
    told = "; ".join(f"player {seat + 1} {hand or 'none'}" for seat, hand in enumerate(hands))
    yield f"Bout {state.bout}, stock {state.deck_count}: {told}"


def _deal_lines(state: GameState) -> Iterator[str]:
    for seat, cards in enumerate(state.dealt):
        if cards:
            yield f"  Player {seat + 1} gets {show_cards(cards)}."


def _hand_as_seen(state: GameState, seat: int, viewer: int | None) -> str:
    hand = state.hands[seat]
    if viewer is None or viewer == seat:
        return show_cards(sorted_by_cost(hand, state.trump_suit))
    known = sorted_by_cost(state.taken[seat], state.trump_suit)
    closed = len(hand) - len(known)
    return " ".join([*[_CLOSED_CARD] * closed, *(_card(card) for card in known)])


def _situation(state: GameState) -> str:
    player = f"player {(state.to_act or 0) + 1}"
    match state.phase:
        case Phase.ATTACK:
            choice = " or is done" if state.table else ""
            return f"now: {player} attacks{choice}"
        case Phase.DEFEND:
            return f"now: {player} beats {_card(state.table[-1])} or takes"
        case Phase.THROW_IN:
            return f"now: {player} may throw in up to {state.throw_in_limit}"
        case Phase.OVER:
            return f"over: {describe_result(state)}"


def show_cards(cards: Iterable[int]) -> str:
    """Write cards with suit symbols, separated by spaces; jokers are XB (black) and XR (red).

    >>> show_cards((51, 52))
    'A♠ XB'
    """
    return " ".join(_card(card) for card in cards)


def _card(card: int) -> str:
    return card_text(card) if card in JOKERS else format_card(card, symbols=True)


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
