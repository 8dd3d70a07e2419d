"""What one player may know of a game: its hand and the public facts, never a hidden card.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from croupier.durak.engine.pack import PACK, PACK_SIZE, beats, fits, is_trump, sorted_by_cost, suit_of
from croupier.durak.engine.phases import Phase

if TYPE_CHECKING:
    from croupier.durak.engine.rules import DurakRules
    from croupier.durak.engine.state import GameState


class Variant(NamedTuple):
    """What a player sees besides in a game that is not the protocol's: its rules, and everybody at the table.

    Attributes
    ----------
    rules
        The rules of the game.
    seat
        The player's own seat.
    attacker, defender
        The seats of this bout's attacker and defender.
    counts
        How many cards each seat holds.
    known
        For each seat, cards that it is known to hold.
    waiting
        Attack cards that come after the last one on the table.
    transfers
        Cards with which this player may pass the attack on now.
    shows
        Trumps that this player may show now to pass the attack on.
    throw_in_limit
        How many cards may still be thrown in after a take.
    thrown_in
        The cards that were thrown in after this take, which lie on the table too.
    passed
        The seats that have nothing more to add.
    shown
        The trumps that have passed on the attack of this bout.
    bout
        The number of the bout, from 1.
    """

    rules: "DurakRules"
    seat: int
    attacker: int
    defender: int
    counts: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...]
    transfers: tuple[int, ...]
    shows: tuple[int, ...]
    throw_in_limit: int
    thrown_in: tuple[int, ...]
    passed: tuple[int, ...]
    shown: tuple[int, ...]
    bout: int


class Observation(NamedTuple):
    """A game as one player sees it.

    Attributes
    ----------
    phase
        What the player in turn is asked for; that is this player whenever an engine is asked.
    hand
        The player's cards.
    table
        Attack cards at even places, the cards that beat them at odd ones.
    discarded
        The cards out of play, in order.
    deck_count
        How many cards the stock holds, the open trump included.
    enemy_count
        How many cards the other player holds: of several, the defender, or the attacker where this player defends.
    trump
        The card that lies open under the stock, or lay there before it was drawn.
    known_enemy
        Cards that the other player is known to hold: those taken from the table, and the open trump once the other
        player must have drawn it.
    attack_room
        How many more attack cards the rules allow in this bout; in the protocol, as many as there are.
    variant
        What else there is to see in a game that is not the protocol's; None in one that is.
    """

    phase: Phase
    hand: tuple[int, ...]
    table: tuple[int, ...]
    discarded: tuple[int, ...]
    deck_count: int
    enemy_count: int
    trump: int
    known_enemy: tuple[int, ...] = ()
    attack_room: int = PACK_SIZE
    variant: Variant | None = None

    @property
    def trump_suit(self) -> int:
        """The suit of trumps, 0-3."""
        return suit_of(self.trump) if self.variant is None else self.variant.rules.trump_suit(self.trump)

    @property
    def throw_in_limit(self) -> int:
        """How many cards the attacker may throw in after a take."""
        if self.variant is not None:
            return self.variant.throw_in_limit
        return max(0, min(self.enemy_count - 1, self.attack_room))

    @property
    def playable(self) -> tuple[int, ...]:
        """The cards of the hand that may be played now, each by itself.

        Examples
        --------
        >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
        >>> seen = Observation(
        ...     Phase.DEFEND, read_cards("7C 9C 6H"), read_cards("8C"), (), 24, 5, read_card("AH")
        ... )
        >>> cards_text(seen.playable)
        '9C 6H'
        """
        if self.phase is Phase.DEFEND:
            spades = self.variant is not None and self.variant.rules.spades_by_spades
            last, suit = self.table[-1], self.trump_suit
            return tuple(card for card in self.hand if beats(card, last, suit, spades_by_spades=spades))
        if self.phase is Phase.THROW_IN and not self.throw_in_limit:
            return ()
        return tuple(card for card in self.hand if fits(card, self.table))

    @property
    def can_pass(self) -> bool:
        """Whether the player may answer without a card: always, except for the lead of a bout.

        >>> from croupier.durak.engine.pack import read_card, read_cards
        >>> Observation(Phase.ATTACK, read_cards("7C"), (), (), 24, 5, read_card("AH")).can_pass
        False
        """
        return self.phase is not Phase.ATTACK or bool(self.table)

    def is_trump(self, card: int) -> bool:
        """Tell whether a card is a trump."""
        return is_trump(card, self.trump_suit)

    def by_cost(self, cards: Iterable[int]) -> list[int]:
        """Return cards from the least to the most valuable: plain cards by rank, then trumps.

        >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
        >>> seen = Observation(Phase.ATTACK, read_cards("AC 6H TC"), (), (), 24, 5, read_card("8H"))
        >>> cards_text(seen.by_cost(seen.hand))
        'TC AC 6H'
        """
        return sorted_by_cost(cards, self.trump_suit)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The cards that may be in the other hand or in the stock, as far as this player can tell.

        Once the stock is empty, these and the known ones are the other hand.

        Examples
        --------
        >>> from croupier.durak.engine.dealing import start
        >>> from croupier.durak.engine.rules import DurakRules
        >>> len(observe(start(DurakRules(), PACK), seat=0).unseen)  # all but the own six and the open trump
        29
        """
        seen = {*self.hand, *self.table, *self.discarded, *self.known_enemy, self.trump}
        if self.variant is None:
            return tuple(card for card in PACK if card not in seen)
        seen |= {*self.variant.waiting, *(card for cards in self.variant.known for card in cards)}
        return tuple(card for card in self.variant.rules.cards if card not in seen)


class PassOn(NamedTuple):
    """The answer of a defender who passes the attack on: with a card of its rank, or by showing the trump of that rank.

    Examples
    --------
    >>> from croupier import durak
    >>> def passes_on(seen):
    ...     if seen.variant is not None and seen.variant.transfers:
    ...         return durak.PassOn(seen.by_cost(seen.variant.transfers)[0])
    ...     return seen.by_cost(seen.playable)[:1]
    >>> rules = durak.rules("perevodnoy", players=2)
    >>> durak.match(passes_on, "durak-dummy", pairs=2, seed=1, rules=rules).tally.games
    4
    """

    card: int
    is_shown: bool = False


#: An answer: the cards that are played, none for done, take, or nothing more; or that the attack is passed on.
Reply = tuple[int, ...] | PassOn

#: A player as a function: from what it sees to its answer.
Policy = Callable[[Observation], tuple[int, ...]]
VariantPolicy = Callable[[Observation], Reply]


def observe(state: "GameState", seat: int) -> Observation:
    """Return what the player in a seat may know.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> seen = observe(start(DurakRules(), PACK), seat=1)
    >>> seen.hand, seen.enemy_count, seen.known_enemy
    ((22, 23, 24, 25, 26, 27), 6, ())
    """
    enemy = state.attacker if seat == state.defender else state.defender
    seen = Observation(
        phase=state.phase,
        hand=state.hands[seat],
        table=state.table + state.thrown_in,
        discarded=state.discarded,
        deck_count=state.deck_count,
        enemy_count=len(state.hands[enemy]),
        trump=state.trump,
        known_enemy=known_cards(state, enemy),
        attack_room=state.attack_room,
    )
    return seen if state.rules.is_compiled else seen._replace(variant=_variant(state, seat))


def known_cards(state: "GameState", seat: int) -> tuple[int, ...]:
    """Return the cards that everybody knows a seat to hold: taken from the table, shown, or the open trump once it is drawn."""
    known = state.taken[seat]
    return (*known, state.trump) if state.trump in state.hands[seat] and state.trump not in known else known


def _variant(state: "GameState", seat: int) -> Variant:
    """Return what an observation adds in games that are not the protocol's."""
    # The engine loads pydantic, which engine processes of the protocol do without.
    from croupier.durak.engine.transfer import show_candidates, transfer_candidates  # noqa: PLC0415

    can_pass_on = state.phase is Phase.DEFEND and seat == state.defender
    return Variant(
        rules=state.rules,
        seat=seat,
        attacker=state.attacker,
        defender=state.defender,
        counts=tuple(len(hand) for hand in state.hands),
        known=tuple(known_cards(state, place) for place in range(len(state.hands))),
        waiting=state.waiting,
        transfers=transfer_candidates(state) if can_pass_on else (),
        shows=show_candidates(state) if can_pass_on else (),
        throw_in_limit=state.throw_in_limit,
        thrown_in=state.thrown_in,
        passed=state.passed,
        shown=state.shown,
        bout=state.bout,
    )
