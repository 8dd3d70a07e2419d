"""What a player is asked, in the words of the compiled search, and the hands that the other player may hold.

Nothing here knows a hidden card: it all comes from an :class:`~croupier.durak.engine.observation.Observation` and the
:class:`~croupier.durak.players.evidence.Evidence` of the game so far.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import math
from collections.abc import Iterable, Mapping, Sequence
from mmap import mmap
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import LOWEST_CARD, PACK, PACK_SIZE, suit_of
from croupier.durak.engine.phases import Phase
from croupier.durak.players.evidence import Cards, EnemyChoice, Evidence
from croupier.durak.players.native_code import native_code
from croupier.durak.players.network_shapes import PolicyShape
from croupier.errors import InputError

Words = ctypes.Array[ctypes.c_int64]
Stream = ctypes.Array[ctypes.c_uint64]
NumberT = TypeVar("NumberT", ctypes.c_int32, ctypes.c_int64, ctypes.c_double)

#: The numbers of the phases in compiled code, and of the ways in which the other player may choose.
_PHASES = {Phase.ATTACK: 0, Phase.DEFEND: 1, Phase.THROW_IN: 2}
CHEAP, FREE = range(2)

#: The units of the play model's hidden layer, and its memory for the numbers of cards (see the kernel).
MODEL_HIDDEN = 32
MODEL_NUMBERS = 40

#: The prior probability that the other player always plays its cheapest card.
TRUST = 0.2


class InconsistentView(InputError):  # noqa: N818 - it says what is seen, not what went wrong
    """What a player was shown does not add up to a pack of cards."""


def verify_consistent(seen: Observation) -> None:
    """Raise if the counts and cards of an observation do not add up: compiled code relies on them.

    Examples
    --------
    >>> verify_consistent(Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35]))
    >>> verify_consistent(Observation(Phase.ATTACK, PACK[:6], (), (), 20, 6, PACK[35]))
    Traceback (most recent call last):
    croupier.durak.players.question.InconsistentView: 29 cards unseen, but 6 in the other hand and 19 in the stock under which the trump lies
    """
    cards = (*seen.hand, *seen.table, *seen.discarded, *seen.known_enemy)
    if not seen.hand or len(set(cards)) != len(cards):
        raise InconsistentView("a card is seen in two places, or the own hand is empty")
    if (seen.phase is not Phase.ATTACK) != bool(len(seen.table) % 2):
        raise InconsistentView(f"{len(seen.table)} cards on the table when asked for {seen.phase}")
    if seen.deck_count and seen.trump in cards:
        raise InconsistentView("the open trump is seen elsewhere while the stock lasts")
    hidden, stock = seen.enemy_count - len(seen.known_enemy), max(0, seen.deck_count - 1)
    if hidden < 0 or hidden + stock != len(seen.unseen):
        raise InconsistentView(
            f"{len(seen.unseen)} cards unseen, but {hidden} in the other hand and {stock} in the stock under which the trump lies"
        )


class PossibleHands(NamedTuple):
    """Hands that the other player may hold, as sets of bits, and how it is taken to choose with each."""

    size: int
    hands: Words
    models: Words

    def joined(self, other: "PossibleHands") -> "PossibleHands":
        """Return these hands and others.

        >>> few = PossibleHands(1, words([3]), words([1]))
        >>> list(few.joined(few).hands)
        [3, 3]
        """
        return PossibleHands(
            self.size + other.size,
            words([*self.hands, *other.hands]),
            words([*self.models, *other.models]),
        )


def card_bits(cards: Iterable[int]) -> int:
    """Return cards as a set of bits.

    >>> card_bits([16, 18])
    5
    """
    return sum(1 << (card - LOWEST_CARD) for card in cards)


def cards_in(bits: int) -> tuple[int, ...]:
    """Return the cards of a set of bits.

    >>> cards_in(5)
    (16, 18)
    """
    return tuple(card for card in PACK if bits >> (card - LOWEST_CARD) & 1)


def words(numbers: Sequence[int]) -> Words:
    """Return numbers as memory of 64-bit words; at least one, so that it has an address.

    >>> list(words([3, 4]))
    [3, 4]
    """
    return (ctypes.c_int64 * max(1, len(numbers)))(*numbers)


def blank(kind: type[NumberT], size: int) -> "ctypes.Array[NumberT]":
    """Return so many zeros. The system hands out their memory where it is used; that of ctypes itself is written at once.

    >>> memory = blank(ctypes.c_int64, 2**20)
    >>> memory[2**20 - 1] = 7
    >>> memory[0], memory[2**20 - 1]
    (0, 7)
    """
    return (kind * size).from_buffer(mmap(-1, size * ctypes.sizeof(kind)))


def clear(memory: "ctypes.Array[NumberT]") -> None:
    """Write zeros over memory: what was used stays at hand, where new memory would have to be handed out again, piece by piece.

    >>> memory = words([3, 4])
    >>> clear(memory)
    >>> list(memory)
    [0, 0]
    """
    ctypes.memset(memory, 0, ctypes.sizeof(memory))


def question_words(
    seen: Observation, cap: int = PACK_SIZE, enemy_hand: int = 0, taken: Iterable[int] = ()
) -> Words:
    """Return what a player sees as the words of a compiled question; the player sits in seat 0.

    Parameters
    ----------
    seen
        What is known.
    cap
        How many attack cards the rules allow in later bouts.
    enemy_hand
        The other hand, where it is known.
    taken
        The cards that the other player has seen this player take.

    Examples
    --------
    >>> seen = Observation(Phase.ATTACK, PACK[:2], (), PACK[4:], 0, 2, PACK[35])
    >>> list(question_words(seen))
    [3, 0, 0, 0, 0, 36, 36, 0, 36650387592, 36, 0, 12, 68719476720, 0]
    """
    own = card_bits(seen.hand)
    is_defence = seen.phase is Phase.DEFEND
    return words(
        [
            enemy_hand if is_defence else own,
            own if is_defence else enemy_hand,
            card_bits(seen.table),
            0 if seen.phase is Phase.ATTACK else card_bits(seen.table[-1:]),
            int(seen.phase is Phase.THROW_IN),
            seen.attack_room,
            PACK_SIZE - seen.deck_count,
            int(is_defence),
            _trumps(seen),
            cap,
            card_bits(seen.known_enemy),
            card_bits(seen.unseen),
            card_bits(seen.discarded),
            card_bits(taken),
        ]
    )


def stock_bytes(seen: Observation) -> Any:
    """Return memory for a stock of compiled positions; the open trump lies at its end.

    >>> seen = Observation(Phase.ATTACK, PACK[:2], (), PACK[4:], 0, 2, PACK[35])
    >>> stock_bytes(seen)[35]
    35
    """
    stock = (ctypes.c_int8 * PACK_SIZE)()
    stock[PACK_SIZE - 1] = seen.trump - LOWEST_CARD
    return stock


class _Row(NamedTuple):
    """What the kernel is told about the choices of the other player and the cards that it may have drawn."""

    described: tuple[Any, ...]
    drawn: int
    cards: Any
    odds: Any

    def judged(self) -> tuple[Any, ...]:
        """Return memory for what the policy thinks of the hands."""
        choices, cards = max(1, self.described[4]), len(self.cards)
        return (
            words([0] * (2 * choices)),
            (ctypes.c_double * (2 * choices))(),
            words([0] * (2 * cards)),
            (ctypes.c_double * choices)(),
            (ctypes.c_float * PolicyShape.MEMORY)(),
        )


def _row(seen: Observation, evidence: Evidence | None, guess: Cards) -> _Row:
    hidden = seen.enemy_count - len(seen.known_enemy)
    drawn, choices = hidden, list[EnemyChoice]()
    if evidence is not None and evidence.drawn - evidence.shown_count == hidden:
        drawn, choices = evidence.drawn, evidence.choices
    shown = {card: choice.drawn for choice in choices for card in choice.answer if card not in choice.held}
    order = _arranged(shown, seen.unseen, guess, drawn)
    cards = words([card_bits([card]) for card in order])
    described = (
        words(_columns(choices)),
        words([number for choice in choices for number in _row_of(choice, seen)]),
        (ctypes.c_float * max(1, MODEL_HIDDEN * len(choices)))(),
        (ctypes.c_float * (MODEL_HIDDEN + MODEL_NUMBERS))(),
        len(choices),
        cards,
        words([shown.get(card, len(order) + 1) for card in order]),
        len(order),
        drawn,
    )
    return _Row(described, drawn, cards, (ctypes.c_double * max(1, 2 * len(choices)))())


def _arranged(shown: Mapping[int, int], unseen: Cards, guess: Cards, drawn: int) -> list[int]:
    """Return the cards that the other player may have drawn, in an order, then the others: as guessed before, as far as that still holds.

    ``shown`` are cards that it has played, each with the number of cards that it had drawn by then.
    """
    free = {*unseen}
    order = [
        card if card in free or place < shown.get(card, 0) else None
        for place, card in enumerate(guess[:drawn])
    ]
    order += [None] * (drawn - len(order))
    for card, until in sorted(shown.items(), key=itemgetter(1)):
        if card not in order:
            # A place that nothing stands in, or a card that was not shown, or the one that was shown last, for which a place is found next.
            order[max(range(until), key=lambda place: _looseness(order[place], shown))] = card
    rest = iter([card for card in (*shown, *unseen) if card not in order])
    filled = [next(rest) if card is None else card for card in order]
    return [*filled, *rest]


def _looseness(card: int | None, shown: Mapping[int, int]) -> int:
    """Return how easily a card is put elsewhere."""
    return 2 * PACK_SIZE if card is None else shown.get(card, PACK_SIZE + 1)


class Suspicion(NamedTuple):
    """How probable it is that the other player always plays its cheapest card, and the cards that it may have drawn then, in their order.

    Examples
    --------
    >>> Suspicion()
    Suspicion(chance=0.0, guess=())
    """

    chance: float = 0.0
    guess: Cards = ()

    @property
    def model(self) -> int:
        """Which of both ways of choosing is the likelier one."""
        return CHEAP if self.chance > 0.5 else FREE


#: The other player is taken for a skilled one.
UNSUSPECTED = Suspicion()


def suspicion_of(
    seen: Observation,
    evidence: Evidence | None,
    trust: float,
    seed: int,
    guess: Cards = (),
    *,
    asks_policy: bool = False,
) -> Suspicion:
    """Find out whether the other player always plays its cheapest card, by what it has done so far.

    Parameters
    ----------
    seen
        What is known now.
    evidence
        What the other player has done so far; without it, the prior probability stays.
    trust
        The prior probability.
    seed
        The seed of the hands that are drawn to find out.
    guess
        The cards that the suspicion before this one named. It saves looking for them again, which may fail late in a game.
    asks_policy
        Whether the policy network is asked, too, how well a skilled player explains the choices. That takes some ten times as long.

    Examples
    --------
    >>> suspicion_of(Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35]), None, 0.25, seed=1)
    Suspicion(chance=0.25, guess=())
    """
    row = _row(seen, evidence, guess)
    if not 0 < trust < 1 or evidence is None or not evidence.choices or row.drawn == 0:
        return Suspicion(trust)
    result, found = (ctypes.c_double * 1)(), words([0] * len(row.cards))
    stream = (ctypes.c_uint64 * 1)(seed % 2**64)
    native_code().cheap_log_odds(*(*row.described, _trumps(seen), found, row.odds, result, stream))
    log_odds = math.log(trust / (1.0 - trust)) + result[0]
    if asks_policy:
        row = _row(seen, evidence, guess)
        native_code().policy_log_odds(
            *(*row.described, _trumps(seen), row.odds, *row.judged(), result, stream)
        )
        log_odds -= result[0]
    chance = 1.0 / (1.0 + math.exp(min(-log_odds, 700.0)))
    return Suspicion(chance, tuple(card for place in range(row.drawn) for card in cards_in(found[place])))


def possible_hands(
    seen: Observation,
    evidence: Evidence | None,
    count: int,
    stream: Stream,
    suspicion: Suspicion = UNSUSPECTED,
    *,
    asks_policy: bool = False,
) -> PossibleHands:
    """Draw hands of the other player that fit all that is known, likelier ones more often.

    Parameters
    ----------
    seen
        What is known now.
    evidence
        What the other player has done so far; without it, every hand is as likely as any other.
    count
        How many hands to draw.
    stream
        The random stream; changed in place.
    suspicion
        Whether the other player always plays its cheapest card: as many of the hands as its chance says are those of such a player.
    asks_policy
        Whether the policy network is asked, too, how well the other hands explain what was done with them. That takes several times as long.

    Examples
    --------
    >>> seen = Observation(Phase.ATTACK, PACK[:2], (), PACK[4:], 0, 2, PACK[35])
    >>> drawn = possible_hands(seen, None, 1, (ctypes.c_uint64 * 1)(7))
    >>> cards_in(drawn.hands[0]) == PACK[2:4]  # the stock is empty: it can hold nothing else
    True
    """
    row, known = _row(seen, evidence, suspicion.guess), card_bits(seen.known_enemy)
    cheap = round(suspicion.chance * count)
    if row.drawn == 0:
        models = [CHEAP if number < cheap else FREE for number in range(count)]
        return PossibleHands(count, words([known] * count), words(models))
    result = PossibleHands(count, words([0] * count), words([0] * count))
    native_code().hands(
        *(*row.described, known, _trumps(seen), cheap, row.odds, *row.judged(), asks_policy),
        *(result.hands, result.models, count, stream),
    )
    return result


def _columns(choices: Sequence[EnemyChoice]) -> list[int]:
    """Return choices column by column."""
    return [
        *(_PHASES[choice.phase] for choice in choices),
        *(card_bits(choice.table) for choice in choices),
        *(_open_card(choice.table) for choice in choices),
        *(choice.limit for choice in choices),
        *(card_bits(choice.answer) for choice in choices),
        *(choice.drawn for choice in choices),
        *(card_bits(choice.held) for choice in choices),
        *(card_bits(choice.shown) for choice in choices),
    ]


def model_row(seen: Observation) -> list[int]:
    """Return what a player sees before a choice, in the columns of the play model.

    Examples
    --------
    >>> model_row(Observation(Phase.ATTACK, PACK[:2], (), (), 24, 6, PACK[3]))
    [3, 0, 0, 0, 0, 24, 6, 0, 8, 3]
    """
    return [
        card_bits(seen.hand),
        card_bits(seen.table),
        _open_card(seen.table),
        card_bits(seen.discarded),
        card_bits(seen.known_enemy),
        seen.deck_count,
        seen.enemy_count,
        _kind(seen.phase, seen.table),
        card_bits([seen.trump]),
        seen.trump_suit,
    ]


def _row_of(choice: EnemyChoice, seen: Observation) -> list[int]:
    """Return what the other player saw before a choice in those columns, with no cards for the hand."""
    public = choice.public
    view = Observation(
        choice.phase,
        (),
        choice.table,
        public.discarded,
        public.deck_count,
        public.own_count,
        seen.trump,
        tuple(public.known),
    )
    return model_row(view)


def _open_card(table: tuple[int, ...]) -> int:
    return card_bits(table[-1:]) if len(table) % 2 else 0


def _kind(phase: Phase, table: tuple[int, ...]) -> int:
    """Return the number of what is asked for: a lead, another attack card, a defence, cards to throw in."""
    return 1 + _PHASES[phase] if phase is not Phase.ATTACK or table else 0


def _trumps(seen: Observation) -> int:
    return card_bits(card for card in PACK if suit_of(card) == seen.trump_suit)
