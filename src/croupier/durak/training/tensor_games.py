"""Many games of durak at once, as tensors: what the networks learn from.

A set of cards is a number of 36 bits, as in :mod:`~croupier.durak.engine.bit_kernels`; suits are named so that clubs are trumps. Games
begin again as soon as they are over. Cards are thrown in one at a time, from the lowest to the highest, so that every choice is one
card or none. Tested equal to :mod:`~croupier.durak.engine.board_kernels`, move by move.
"""

from typing import NamedTuple

import torch
from torch import Tensor

#: All clubs, which are trumps.
CLUBS = 0x111111111

#: What the player in turn is asked for, and the choice to play no card.
ATTACK, DEFEND, THROW_IN = range(3)
NO_CARD = 36

_DECK_SIZE = 36
_HAND_SIZE = 6
_DEALT = 2 * _HAND_SIZE

#: The place of the open card where there is none.
_NOWHERE = 36


class Seen(NamedTuple):
    """What the player in turn sees, one row a game.

    Attributes
    ----------
    sets
        Its hand, the table, the card to be beaten, the cards out of play, those of the other hand that it knows, and those of its
        hand that the other player knows.
    numbers
        The size of the stock, the number of cards in the other hand (at most 15), what is asked for (a lead, another attack card, a
        defence, cards to throw in), the rank of the open trump, and how many cards may still be thrown in (at most 7).
    """

    sets: Tensor
    numbers: Tensor


class Dealt(NamedTuple):
    """Where every card is, one row a game.

    Attributes
    ----------
    sets
        The attacker's hand, the defender's, the table, the card to be beaten, and what each of them is known to hold.
    numbers
        How many cards are gone from the deck, what is asked for, and the attacker's seat.
    stock
        The cards of the deck behind the first deal, in their order.
    """

    sets: Tensor
    numbers: Tensor
    stock: Tensor


def card_count(cards: Tensor) -> Tensor:
    """Return how many cards each set holds."""
    pairs = cards - ((cards >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((eights * 0x0101010101010101) >> 56) & 0xFF


def of_same_ranks(cards: Tensor) -> Tensor:
    """Return every card whose rank is in a set."""
    return ((cards | cards >> 1 | cards >> 2 | cards >> 3) & CLUBS) * 15


def _beating_cards() -> list[int]:
    """Return for each card the cards that beat it; for no card, none."""
    beating = []
    for card in range(_DECK_SIZE):
        higher = (CLUBS << (card & 3)) & ~((1 << (card + 1)) - 1)
        beating.append(higher if card & 3 == 0 else higher | CLUBS)
    return [*beating, 0]


class TensorGames:
    """Games side by side.

    Parameters
    ----------
    size
        How many games.
    device
        Where the tensors live, such as ``cpu`` or ``cuda``.
    seed
        The seed of all cards.
    """

    def __init__(self, size: int, device: str, seed: int) -> None:
        self.size, self.device = size, device
        self._chance = torch.Generator(device=device)
        self._chance.manual_seed(seed)
        self._beating = torch.tensor(_beating_cards(), dtype=torch.int64, device=device)
        self._seats = torch.arange(2, device=device)
        self.attack_hand, self.defend_hand, self.table, self.discarded = (self._zeros() for _ in range(4))
        self.is_taking, self.room, self.last_thrown, self.drawn, self.attacker = (
            self._zeros() for _ in range(5)
        )
        self.open_place = self._zeros()
        self.known = self._zeros(2)
        self.deck, self._gone = self._zeros(_DECK_SIZE), self._zeros(_DECK_SIZE + 1)
        self._ended, self._won = (torch.zeros((), dtype=torch.int64, device=device) for _ in range(2))
        self.shuffle()
        self.begin(torch.ones(size, dtype=torch.bool, device=device))

    def _zeros(self, *further: int) -> Tensor:
        return torch.zeros(self.size, *further, dtype=torch.int64, device=self.device)

    def shuffle(self) -> None:
        """Make new decks for the games to come."""
        keys = torch.rand(self.size, _DECK_SIZE, device=self.device, generator=self._chance)
        decks = keys.argsort(1)
        self._decks = decks ^ (decks[:, -1:] & 3)
        cards = torch.ones_like(decks) << self._decks
        self._gone_of_decks = torch.cat([torch.zeros_like(cards[:, :1]), cards.cumsum(1)], 1)
        self._leaders = torch.randint(0, 2, (self.size,), device=self.device, generator=self._chance)

    def begin(self, where: Tensor) -> None:
        """Begin new games where a flag is set; the lowest trump leads, or chance decides."""
        picked = torch.randint(0, self.size, (self.size,), device=self.device, generator=self._chance)
        gone = self._gone_of_decks[picked]
        hands = gone[:, _HAND_SIZE], gone[:, _DEALT] ^ gone[:, _HAND_SIZE]
        trumps = [hand & CLUBS for hand in hands]
        lowest = [torch.where(cards == 0, 1 << _DECK_SIZE, cards & -cards) for cards in trumps]
        leader = torch.where(lowest[0] == lowest[1], self._leaders[picked], (lowest[1] < lowest[0]).long())
        attack_hand = torch.where(leader == 0, hands[0], hands[1])
        self.deck = torch.where(where[:, None], self._decks[picked], self.deck)
        self._gone = torch.where(where[:, None], gone, self._gone)
        self.attacker = torch.where(where, leader, self.attacker)
        self.attack_hand = torch.where(where, attack_hand, self.attack_hand)
        self.defend_hand = torch.where(where, gone[:, _DEALT] ^ attack_hand, self.defend_hand)
        self.drawn = torch.where(where, _DEALT, self.drawn)
        self.open_place = torch.where(where, _NOWHERE, self.open_place)
        self.known = torch.where(where[:, None], 0, self.known)
        for name in ("table", "discarded", "is_taking", "room", "last_thrown"):
            setattr(self, name, torch.where(where, 0, getattr(self, name)))

    def phases(self) -> Tensor:
        """Return what the players in turn are asked for."""
        return torch.where(
            self.is_taking == 1, THROW_IN, torch.where(self.open_place < _NOWHERE, DEFEND, ATTACK)
        )

    def seats(self, phases: Tensor) -> Tensor:
        """Return the seats in turn."""
        return torch.where(phases == DEFEND, 1 - self.attacker, self.attacker)

    def choices(self, phases: Tensor) -> Tensor:
        """Return what may be chosen, as bits: cards, and behind them no card."""
        fitting = self.attack_hand & of_same_ranks(self.table)
        attack = torch.where(self.table == 0, self.attack_hand, fitting)
        defence = self.defend_hand & self._beating[self.open_place]
        higher = ~(((self.last_thrown << 1) - 1) * (self.last_thrown > 0))
        thrown = torch.where(self.room > 0, fitting & higher, 0)
        cards = torch.where(phases == ATTACK, attack, torch.where(phases == DEFEND, defence, thrown))
        may_pass = (phases != ATTACK) | (self.table != 0)
        return cards | (may_pass.long() << NO_CARD)

    def _refilled(self, hand: Tensor, drawn: Tensor) -> tuple[Tensor, Tensor]:
        """Draw hands up to six cards, as far as the stock goes; return the cards and how many are gone then."""
        wanted = torch.minimum((_HAND_SIZE - card_count(hand)).clamp(min=0), _DECK_SIZE - drawn)
        after = drawn + wanted
        cards = self._gone.gather(1, after[:, None]) ^ self._gone.gather(1, drawn[:, None])
        return cards[:, 0], after

    def play(self, phases: Tensor, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Play one choice in every game; return which games are over, and the result of seat 0 in those (1, 0, -1)."""
        is_card = chosen != NO_CARD
        card = torch.where(is_card, torch.ones_like(chosen) << chosen, 0)
        attacks, defends, throws = phases == ATTACK, phases == DEFEND, phases == THROW_IN
        self.attack_hand = torch.where(defends, self.attack_hand, self.attack_hand & ~card)
        self.defend_hand = torch.where(defends, self.defend_hand & ~card, self.defend_hand)
        self.table = self.table | card
        self.known = self.known & ~card[:, None]
        self.open_place = torch.where(is_card & attacks, chosen, self.open_place)
        self.open_place = torch.where(is_card & defends, _NOWHERE, self.open_place)
        self.last_thrown = torch.where(is_card & throws, card, self.last_thrown)
        self.room = self.room - (is_card & throws).long()
        self._end_bouts(attacks, defends, throws, is_card)
        is_over, result = self._results()
        self._ended += is_over.sum()
        self._won += result.sum()
        return is_over, result

    def score(self) -> float:
        """Return what seat 0 has scored in the games that are over, 0 to 1."""
        return float(0.5 + self._won / self._ended.clamp(min=1) / 2)

    def _end_bouts(self, attacks: Tensor, defends: Tensor, throws: Tensor, is_card: Tensor) -> None:
        """Begin takes, end bouts that were beaten or taken, and refill the hands."""
        takes = defends & ~is_card
        has_cards = self.attack_hand != 0
        begins = takes & has_cards
        self.is_taking = torch.where(begins, 1, self.is_taking)
        self.room = torch.where(begins, (card_count(self.defend_hand) - 1).clamp(min=0), self.room)
        self.last_thrown = torch.where(begins, 0, self.last_thrown)
        taken = (throws & ~is_card) | (takes & ~has_cards)
        is_bare = ~has_cards | (self.defend_hand == 0)
        beaten = (attacks & ~is_card) | (defends & is_card & is_bare & (self.drawn < _DECK_SIZE))
        ends = taken | beaten
        is_defender = self._seats != self.attacker[:, None]
        gained = torch.where(taken, self.table, 0)
        self.defend_hand = self.defend_hand | gained
        self.discarded = torch.where(beaten, self.discarded | self.table, self.discarded)
        attack_cards, drawn = self._refilled(self.attack_hand, self.drawn)
        attack_cards = torch.where(ends, attack_cards, 0)
        defend_cards, all_drawn = self._refilled(self.defend_hand, drawn)
        defend_cards = torch.where(beaten, defend_cards, 0)
        open_trump = torch.ones_like(gained) << self.deck[:, -1]
        shown = torch.where(is_defender, defend_cards[:, None], attack_cards[:, None]) & open_trump[:, None]
        self.known = self.known | shown | torch.where(is_defender, gained[:, None], 0)
        attack_hand, defend_hand = self.attack_hand | attack_cards, self.defend_hand | defend_cards
        self.attack_hand = torch.where(beaten, defend_hand, attack_hand)
        self.defend_hand = torch.where(beaten, attack_hand, defend_hand)
        self.attacker = torch.where(beaten, 1 - self.attacker, self.attacker)
        self.drawn = torch.where(beaten, all_drawn, torch.where(taken, drawn, self.drawn))
        self.table = torch.where(ends, 0, self.table)
        self.open_place = torch.where(ends, _NOWHERE, self.open_place)
        self.is_taking = torch.where(ends, 0, self.is_taking)

    def _results(self) -> tuple[Tensor, Tensor]:
        is_bare = (self.attack_hand == 0) | (self.defend_hand == 0)
        beats_last = (card_count(self.defend_hand) == 1) & (
            self.defend_hand & self._beating[self.open_place] != 0
        )
        is_asked = (self.open_place < _NOWHERE) & (self.is_taking == 0) & beats_last
        is_over = (self.drawn == _DECK_SIZE) & is_bare & ~is_asked
        winner = torch.where(self.attack_hand == 0, self.attacker, 1 - self.attacker)
        is_drawn = (self.attack_hand == 0) & (self.defend_hand == 0)
        return is_over, torch.where(is_over & ~is_drawn, 1 - 2 * winner, 0)

    def _open_card(self) -> Tensor:
        card = torch.ones_like(self.table) << (self.open_place % _DECK_SIZE)
        return torch.where(self.open_place < _NOWHERE, card, 0)

    def seen(self, phases: Tensor) -> Seen:
        """Return what the players in turn see. With one card left in the stock, or none, every card is known."""
        defends = phases == DEFEND
        own = torch.where(defends, self.defend_hand, self.attack_hand)
        other = torch.where(defends, self.attack_hand, self.defend_hand)
        seats = self.seats(phases)[:, None]
        is_open = self.drawn >= _DECK_SIZE - 1
        known_own = torch.where(is_open, own, self.known.gather(1, seats)[:, 0])
        known_other = torch.where(is_open, other, self.known.gather(1, 1 - seats)[:, 0])
        kind = torch.where(phases == ATTACK, (self.table != 0).long(), phases + 1)
        room = torch.where(phases == THROW_IN, self.room, 0).clamp(max=7)
        rank = self.deck[:, -1] >> 2
        numbers = (_DECK_SIZE - self.drawn, card_count(other).clamp(max=15), kind, rank, room)
        sets = (own, self.table, self._open_card(), self.discarded, known_other, known_own)
        return Seen(torch.stack(sets, 1), torch.stack(numbers, 1))

    def dealt(self, phases: Tensor) -> Dealt:
        """Return where every card is."""
        known = self.known.gather(1, self.attacker[:, None]), self.known.gather(1, 1 - self.attacker[:, None])
        hands = self.attack_hand, self.defend_hand
        sets = (*hands, self.table, self._open_card(), known[0][:, 0], known[1][:, 0])
        return Dealt(
            torch.stack(sets, 1),
            torch.stack((self.drawn, phases, self.attacker), 1),
            self.deck[:, _DEALT:].to(torch.int8),
        )


class CheapGames(TensorGames):
    """Games in which seat 1 always plays its cheapest card, as the sample engine does: it has no other choice.

    The sample engine takes the first of several suits; here their names depend on the trump.
    """

    def choices(self, phases: Tensor) -> Tensor:
        """Return what may be chosen; in seat 1 that is one card, or none."""
        choices = super().choices(phases)
        cards = choices & ~(1 << NO_CARD)
        plain, trumps = cards & ~CLUBS, cards & CLUBS
        may_be_trump = (phases == DEFEND) | (self.table == 0)
        cheapest = torch.where(plain != 0, plain & -plain, torch.where(may_be_trump, trumps & -trumps, 0))
        forced = torch.where(cheapest != 0, cheapest, 1 << NO_CARD)
        return torch.where(self.seats(phases) == 1, forced, choices)
