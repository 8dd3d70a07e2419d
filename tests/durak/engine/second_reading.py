"""The rules of durak read a second time, from docs/rules/durak.md: cards are texts, the table is a list of pairs.

It shares no code with the engine, and knows its rules as a dictionary of options. Speed and good errors are not its concern.
"""

from collections.abc import Sequence
from itertools import combinations

RANKS = "23456789TJQKAX"
LOWEST = {24: "9", 36: "6", 52: "2", 54: "2"}
Move = tuple[str, frozenset[str]]


def pack(options: dict[str, object]) -> list[str]:
    size = options["pack"]
    assert isinstance(size, int)
    first = RANKS.index(LOWEST[size])
    cards = [rank + suit for rank in RANKS[first:13] for suit in "CDHS"]
    return cards + (["XB", "XR"] if size == 54 else [])


class SecondGame:
    """A game that is changed by its moves."""

    def __init__(self, options: dict[str, object], deck: Sequence[str], leader: int) -> None:
        self.options = options
        self.size = int(str(options["players"]))
        self.stock = list(deck[6 * self.size :])
        self.hands = [set(deck[6 * seat : 6 * seat + 6]) for seat in range(self.size)]
        self.trump = "D" if options["trumps"] == "diamonds" else deck[-1][1]
        self.attacker, self.defender, self.number = leader, (leader + 1) % self.size, 1
        self.takes = 0
        self.clear()

    def clear(self) -> None:
        self.pairs: list[list[str]] = []
        self.extra: list[str] = []
        self.silent: set[int] = set()
        self.shown: set[str] = set()
        self.taking = False

    # What the rules say of cards and seats.

    def trumps(self, card: str) -> bool:
        return card[0] == "X" or card[1] == self.trump

    def beats(self, card: str, other: str) -> bool:
        if self.options["spades_by_spades"] and other[1] == "S":
            return card[1] == "S" and RANKS.index(card[0]) > RANKS.index(other[0])
        if card == "XR" or other == "XR":
            return card == "XR"
        if card == "XB" or other == "XB":
            return card == "XB"
        if card[1] == other[1]:
            return RANKS.index(card[0]) > RANKS.index(other[0])
        return card[1] == self.trump

    def mates(self, one: int, other: int) -> bool:
        if one == other:
            return True
        if self.options["teams"] == "pairs":
            return abs(one - other) == self.size // 2
        return self.options["teams"] == "two_sides" and (one - other) % 2 == 0

    def following(self, seat: int) -> list[int]:
        return [(seat + step) % self.size for step in range(1, self.size)]

    def prey(self, hunter: int) -> int | None:
        return next(
            (seat for seat in self.following(hunter) if self.hands[seat] and not self.mates(hunter, seat)),
            None,
        )

    # What the table shows.

    def open_cards(self) -> list[str]:
        return [pair[0] for pair in self.pairs if len(pair) == 1]

    def attack_count(self) -> int:
        return len(self.pairs) + len(self.extra)

    def room(self) -> int:
        if self.options["five_card_first_bout"] and self.number == 1:
            return 5 - self.attack_count()
        return (6 if self.options["six_card_cap"] else 99) - self.attack_count()

    def over(self) -> bool:
        left = [seat for seat in range(self.size) if self.hands[seat]]
        if self.takes == 60:
            return True
        if self.stock or any(not self.mates(left[0], seat) for seat in left):
            return False
        waits = self.open_cards()
        may_draw = (
            self.options["draws"]
            and not self.taking
            and left == [self.defender]
            and 0 < len(waits) == len(self.hands[self.defender])
            and any(self.beats(card, waits[0]) for card in self.hands[self.defender])
        )
        return not may_draw

    def helpers(self) -> list[int]:
        """Who can still add cards, in turn."""
        if self.options["throw_in"] == "none":
            return []
        others = [seat for seat in self.following(self.defender) if self.hands[seat]]
        if self.options["throw_in"] == "attacker":
            others = []
        if self.options["throw_in"] == "neighbours":
            others = others[:1]
        able = [seat for seat in others if seat != self.attacker and not self.mates(seat, self.defender)]
        if self.hands[self.attacker]:
            able.insert(0, self.attacker)
        return [seat for seat in able if seat not in self.silent]

    def turn(self) -> int | None:
        if self.over():
            return None
        if not self.pairs:
            return self.attacker
        if self.open_cards() and not self.taking:
            return self.defender
        return self.helpers()[0]

    # Moves.

    def moves(self) -> set[Move]:
        seat = self.turn()
        if seat is None:
            return set()
        hand = self.hands[seat]
        ranks = {card[0] for pair in self.pairs for card in pair}
        if self.taking:
            fitting = sorted(card for card in hand if card[0] in ranks)
            most = min(len(self.hands[self.defender]) - len(self.open_cards()) - len(self.extra), self.room())
            return {
                ("throw_in", frozenset(cards))
                for size in range(max(0, most) + 1)
                for cards in combinations(fitting, size)
            }
        if not self.pairs:
            return {("attack", frozenset([card])) for card in hand}
        if not self.open_cards():
            added: set[Move] = {("attack", frozenset([card])) for card in hand if card[0] in ranks}
            return added | {("done", frozenset())}
        first = self.open_cards()[0]
        found: set[Move] = {("take", frozenset())}
        found |= {("defend", frozenset([card])) for card in hand if self.beats(card, first)}
        return found | self.transfers(hand)

    def transfers(self, hand: set[str]) -> set[Move]:
        is_begun = any(len(pair) == 2 for pair in self.pairs)
        is_early = self.number == 1 and not self.options["transfer_in_first_bout"]
        target = self.prey(self.defender)
        if self.options["transfer"] == "none" or is_begun or is_early or target is None:
            return set()
        count, same = len(self.pairs), [card for card in hand if card[0] == self.pairs[0][0][0]]
        found: set[Move] = set()
        if len(self.hands[target]) > count and self.room() > 0:
            found |= {("transfer", frozenset([card])) for card in same}
        if self.options["transfer"] == "card_or_shown_trump" and len(self.hands[target]) >= count:
            found |= {
                ("show", frozenset([card])) for card in same if self.trumps(card) and card not in self.shown
            }
        return found

    def do(self, kind: str, cards: frozenset[str]) -> None:
        seat = self.turn()
        assert seat is not None
        if kind == "show":
            self.shown |= cards
        else:
            self.hands[seat] -= cards
        if kind == "attack":
            self.pairs.append(list(cards))
            self.silent = set()
        elif kind == "defend":
            next(pair for pair in self.pairs if len(pair) == 1).extend(cards)
        elif kind in ("transfer", "show"):
            if kind == "transfer":
                self.pairs.append(list(cards))
            target = self.prey(seat)
            assert target is not None
            self.attacker, self.defender = seat, target
        elif kind == "take":
            self.taking, self.silent = True, set()
        else:
            self.extra += cards
            self.silent.add(seat)
        self.end_bout()

    def end_bout(self) -> None:
        if self.over():
            return
        waits = bool(self.open_cards())
        if waits and not self.taking:
            return
        if self.helpers() and (self.taking or (self.room() > 0 and self.hands[self.defender])):
            return
        if not self.pairs:
            return
        first = self.defender
        takes, stock = self.takes + 1 if self.taking else 0, len(self.stock)
        if self.taking:
            self.hands[self.defender] |= {card for pair in self.pairs for card in pair} | set(self.extra)
            first = (self.defender + 1) % self.size
        self.clear()
        drawing = [
            self.attacker,
            *(seat for seat in self.following(self.attacker) if seat != self.defender),
            self.defender,
        ]
        for seat in drawing:
            while self.stock and len(self.hands[seat]) < 6:
                self.hands[seat].add(self.stock.pop(0))
        self.takes = takes if len(self.stock) == stock else 0
        self.number += 1
        if not self.over():
            self.attacker = next(seat for seat in [first, *self.following(first)] if self.hands[seat])
            target = self.prey(self.attacker)
            assert target is not None
            self.defender = target

    # How it ended.

    def losers(self) -> set[int]:
        if self.takes == 60:
            return set()
        holding = {seat for seat in range(self.size) if self.hands[seat]}
        return {seat for seat in range(self.size) if any(self.mates(seat, fool) for fool in holding)}

    def next_leader(self) -> int | None:
        if self.options["lead_after_fool"] == "lowest_trump" or not self.losers():
            return None
        fool = sorted(range(self.size), key=lambda seat: (-len(self.hands[seat]), seat))[0]
        return (fool + (1 if self.options["lead_after_fool"] == "after_fool" else -1)) % self.size


def count_sequences(
    options: dict[str, object], deck: Sequence[str], leader: int, moves: list[Move], depth: int
) -> int:
    """Count sequences of exactly so many further moves, by playing each from the deal again."""
    game = SecondGame(options, deck, leader)
    for move in moves:
        game.do(*move)
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.moves())
    return sum(count_sequences(options, deck, leader, [*moves, move], depth - 1) for move in game.moves())
