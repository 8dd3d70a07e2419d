"""The start of a game from a shuffled pack, and the refill after a bout. Cards come from the front of the deck."""

from collections.abc import Sequence
from dataclasses import replace

from croupier.durak.engine.pack import HAND_SIZE, JOKERS, card_text, is_trump
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Cards, GameState, IllegalMove, Setup, placed
from croupier.errors import InputError

_DEFAULT = DurakRules()


def lowest_trump_leader(deck: Sequence[int], rules: DurakRules = _DEFAULT) -> int | None:
    """Return the seat whose hand holds the lowest trump; None where nobody holds one.

    >>> from croupier.durak.engine.pack import PACK
    >>> lowest_trump_leader(PACK)  # six of spades with player 1
    0
    >>> lowest_trump_leader(PACK[::-1])  # clubs are trumps: the king is with player 2, the ace with player 1
    1
    """
    trump_suit = rules.trump_suit(deck[-1])
    trumps = [card for card in deck[: rules.players * HAND_SIZE] if is_trump(card, trump_suit)]
    return deck.index(min(trumps)) // HAND_SIZE if trumps else None


def verify_deck(deck: Sequence[int], rules: DurakRules = _DEFAULT) -> None:
    """Raise unless these are the cards of the pack, each once, and the open card under the stock makes a suit trumps."""
    pack = rules.cards
    seen: set[int] = set()
    for card in deck:
        if card not in pack:
            raise InputError(f"card code {card}: the cards of durak are {pack[0]} to {pack[-1]}")
        if card in seen:
            raise InputError(f"card {card_text(card)} is twice in the deck; it holds every card once")
        seen.add(card)
    if len(deck) != len(pack):
        raise InputError(f"{len(deck)} cards in the deck; the pack holds {len(pack)}")
    if rules.trumps == "open_card" and deck[-1] in JOKERS:
        raise InputError("a joker lies open under the stock, and no suit is trumps; put another card there")


def with_open_suit(deck: Sequence[int]) -> Cards:
    """Return a deck whose open card has a suit: a joker there changes places with the last card that is none.

    >>> with_open_suit((3, 7, 52))
    (3, 52, 7)
    """
    cards = list(deck)
    if cards[-1] in JOKERS:
        place = max(place for place, card in enumerate(cards) if card not in JOKERS)
        cards[-1], cards[place] = cards[place], cards[-1]
    return tuple(cards)


def verify_start(deck: Sequence[int], leader: int | None = None, rules: DurakRules = _DEFAULT) -> None:
    """Raise unless a game can start from this deck, led by this seat or by the lowest trump."""
    verify_deck(deck, rules)
    if leader is not None and leader not in range(rules.players):
        if rules.players == 2:
            raise IllegalMove(f"leader {leader}: seats are 0 (player 1) and 1 (player 2)")
        raise IllegalMove(f"leader {leader}: seats are 0 (player 1) to {rules.players - 1}")
    if leader is None and lowest_trump_leader(deck, rules) is None:
        if rules.players == 2:
            raise IllegalMove("neither hand holds a trump: say who leads (0 or 1), as chance decides")
        raise IllegalMove(
            f"no hand holds a trump: say who leads (0 to {rules.players - 1}), as chance decides"
        )


def start(rules: DurakRules, deck: Sequence[int], leader: int | None = None) -> GameState:
    """Deal six cards to each player, the first six to player 1; the last card of the deck lies open and is trump.

    Where all cards are dealt, the last one, which the last player holds, is shown.

    Parameters
    ----------
    rules
        The rules of the game.
    deck
        The cards of the pack as shuffled.
    leader
        Who leads the first bout; by default the lowest trump in hand does. Where no hand holds a trump, chance
        decides, which an engine leaves to its caller.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> state = start(DurakRules(), PACK)
    >>> state.attacker, state.deck_count, card_text(state.trump)
    (0, 24, 'AS')
    """
    verify_start(deck, leader, rules)
    cards = tuple(deck)
    first = lowest_trump_leader(cards, rules) if leader is None else leader
    if first is None:
        raise AssertionError("a start without a leader was verified")
    drawn = rules.players * HAND_SIZE
    hands = tuple(cards[place : place + HAND_SIZE] for place in range(0, drawn, HAND_SIZE))
    return GameState(
        rules=rules,
        deck=cards,
        leader=first,
        hands=hands,
        drawn=drawn,
        attacker=first,
        defender=(first + 1) % rules.players,
        dealt=hands,
        taken=((),) * rules.players,
    )


def set_up(
    rules: DurakRules, hands: Sequence[Sequence[int]], stock: Sequence[int], trump: int, leader: int
) -> GameState:
    """Begin a game of two from a position between two bouts; the cards that are named nowhere are out of play.

    Parameters
    ----------
    rules
        The rules of the game.
    hands
        The cards of player 1 and of player 2.
    stock
        The cards that are still to be drawn, in order; the open trump is the last of them.
    trump
        The card that lies, or lay, open under the stock.
    leader
        Who attacks: 0 or 1.

    Raises
    ------
    InputError
        If it is no position of a game.

    Examples
    --------
    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> state = set_up(DurakRules(), (read_cards("6C AH"), read_cards("7C 6D")), (), read_card("8H"), leader=0)
    >>> state.deck_count, len(state.discarded), state.to_act
    (0, 32, 0)
    >>> set_up(DurakRules(), (read_cards("6C"), read_cards("7C")), read_cards("9D 8H"), read_card("8H"), leader=0)
    Traceback (most recent call last):
    croupier.errors.InputError: a hand of 1 with 2 cards in the stock; as long as there is a stock, both hold six or more
    """
    held = [card for hand in hands for card in hand]
    if not rules.is_compiled or len(hands) != 2 or leader not in (0, 1):
        raise InputError("a position is set up for two players with 36 cards")
    if not all(hands):
        raise InputError("an empty hand; both players need a card")
    if stock and stock[-1] != trump:
        raise InputError(f"the last card of the stock is the open trump, {card_text(trump)}")
    shortest = min(len(hand) for hand in hands)
    if stock and shortest < HAND_SIZE:
        raise InputError(
            f"a hand of {shortest} with {len(stock)} cards in the stock; as long as there is a stock, both hold six or more"
        )
    gone = [card for card in rules.cards if card not in {*held, *stock}]
    # The trump is the last card of the deck, also where it is drawn already.
    deck = (*(card for card in (*gone, *held, *stock) if card != trump), trump)
    verify_deck(deck, rules)
    setup = Setup(tuple(tuple(hand) for hand in hands), len(deck) - len(stock))
    return _set_up(rules, deck, leader, setup)


def _set_up(rules: DurakRules, deck: Cards, leader: int, setup: Setup) -> GameState:
    held = {card for hand in setup.hands for card in hand}
    return GameState(
        rules=rules,
        deck=deck,
        leader=leader,
        hands=setup.hands,
        drawn=setup.drawn,
        attacker=leader,
        defender=1 - leader,
        dealt=setup.hands,
        discarded=tuple(card for card in deck[: setup.drawn] if card not in held),
        bout=2 if setup.drawn > rules.players * HAND_SIZE else 1,
        setup=setup,
    )


def begun(state: GameState) -> GameState:
    """Return a game as it was before its first action.

    >>> from croupier.durak.engine.pack import PACK
    >>> state = start(DurakRules(), PACK)
    >>> begun(state) == state
    True
    """
    if state.setup is not None:
        return _set_up(state.rules, state.deck, state.leader, state.setup)
    return start(state.rules, state.deck, state.leader)


def next_leader(state: GameState) -> int | None:
    """Return who leads the game after this one, which is over; None where the lowest trump decides.

    After a draw the lowest trump decides too. Where a team has lost, the fool is the player of it who holds most cards, and
    the lower seat of two who hold as many.

    Examples
    --------
    >>> rules = DurakRules(players=3, lead_after_fool="after_fool")
    >>> state = start(rules, rules.cards)
    >>> over = replace(state, drawn=36, hands=((), (20, 21), ()))
    >>> next_leader(over)
    2
    """
    rule, losers = state.rules.lead_after_fool, state.losers
    if rule == "lowest_trump" or not losers:
        return None
    fool = max(losers, key=lambda seat: len(state.hands[seat]))
    return (fool + (1 if rule == "after_fool" else -1)) % len(state.hands)


def refilled(state: GameState, attacker: int, defender: int) -> GameState:
    """Return the state with all hands drawn up to six, as far as the stock goes: attacker first, defender last.

    The others draw in between, clockwise from the attacker. What each seat draws is added to what it was dealt before in
    this deal.
    """
    hands, dealt, drawn = list(state.hands), list(state.dealt), state.drawn
    others = [seat for seat in state.seats_from(attacker) if seat != defender]
    for seat in (*others, defender):
        wanted = max(0, HAND_SIZE - len(hands[seat]))
        cards = state.deck[drawn : drawn + wanted]
        hands[seat] += cards
        dealt[seat] += cards
        drawn += len(cards)
    return replace(state, hands=tuple(hands), dealt=tuple(dealt), drawn=drawn)


def with_cards_dealt(state: GameState, seat: int, cards: Cards) -> GameState:
    """Return the state with cards added to a hand and to what the seat has got in this deal."""
    return replace(
        state,
        hands=placed(state.hands, seat, state.hands[seat] + cards),
        dealt=placed(state.dealt, seat, state.dealt[seat] + cards),
    )
