"""Blackjack by plain recursion over real cards, in the order in which a table deals them.

This evaluator knows no formula of the solver. It deals one card after another, each with the chance that the shoe gives it, and
settles the round at its end. The player follows fixed decisions. Shoes are so small that every round can be dealt.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.shoe import RANKS, ShoeCounts
from croupier.cards import ACE, RANK_LETTERS, TEN, parse_rank, point_class_of_rank
from tests.blackjack.rule_sets import option_values, solvable, without_contradictions

Shoe = tuple[int, ...]
Cards = tuple[int, ...]
Shown = int | Cards
"""What the player sees of the dealer's cards: the class of the up-card, or both classes in order."""

Hands = tuple[tuple[int, float, float], ...]
"""Finished hands: total, what it wins and what it loses, in bets."""

BUSTED, PAID_AT_ONCE, GIVEN_UP, SURRENDERED = 99, 100, 102, 103
"""What stands for the total of a hand that is settled before the dealer plays."""

DEALER_NATURAL = 101


class OutOfCards(Exception):  # noqa: N818 - it is an event of the deal, not a mistake
    """A line of play needs a card that the shoe does not hold."""


@lru_cache(maxsize=1 << 17)
def draws(shoe: Shoe) -> tuple[tuple[int, float, Shoe], ...]:
    """Return each rank that may come next with its chance and what it leaves."""
    cards = sum(shoe)
    if cards == 0:
        raise OutOfCards
    return tuple(
        (rank, count / cards, (*shoe[:rank], count - 1, *shoe[rank + 1 :]))
        for rank, count in enumerate(shoe)
        if count
    )


def is_ten(rank: int) -> bool:
    return rank != ACE and rank >= TEN


@lru_cache(maxsize=1 << 17)
def count_of(hand: Cards) -> tuple[int, bool]:
    """Return the total of a hand, and whether an ace counts 11 in it."""
    total = sum(1 if rank == ACE else min(rank + 2, 10) for rank in hand)
    return (total + 10, True) if ACE in hand and total <= 11 else (total, False)


@lru_cache(maxsize=1 << 17)
def classes_of(hand: Cards) -> Cards:
    return tuple(sorted(point_class_of_rank(rank) for rank in hand))


def is_ace_and_ten(hand: Cards) -> bool:
    return len(hand) == 2 and ACE in hand and any(is_ten(rank) for rank in hand)


@dataclass(frozen=True)
class Player:
    """Decisions by what the dealer shows and the point classes of the hand, both as the solver numbers them.

    ``first`` holds what may be done with the first two cards; of several the best that is allowed is taken (tens of one
    rank and of two are the same classes, but need not do the same). ``play`` is for all other hands, ``no_double``
    for those that may not double, ``doubled`` for doubled ones, also by how often they are.
    """

    first: dict[tuple[Shown, Cards], frozenset[str]]
    play: dict[tuple[Shown, Cards], str]
    no_double: dict[tuple[Shown, Cards], str]
    doubled: dict[tuple[int, Shown, Cards], str] = field(default_factory=dict)


@dataclass
class BruteForce:
    """A table, a shoe and a player: every round of it dealt card by card."""

    rules: BlackjackRules
    shoe: Shoe
    player: Player
    up: int = 0
    hole: int | None = None
    endings: dict[tuple[Shoe, Cards], dict[int, float]] = field(default_factory=dict)
    rests: dict[tuple[object, ...], float] = field(default_factory=dict)

    def dealt(self) -> dict[tuple[Shown, Cards], tuple[float, float]]:
        """Return the chance of every pair of first classes with what the dealer shows, and what it wins times that chance."""
        if self.rules.hole_card != "open":
            return {
                (up_class, classes): found
                for up_class in sorted({point_class_of_rank(up) for up, *_ in draws(self.shoe)})
                for classes, found in self.first_hands(up_class).items()
            }
        found: dict[tuple[Shown, Cards], list[float]] = defaultdict(lambda: [0.0, 0.0])
        for first, first_chance, after_first in draws(self.shoe):
            for up, up_chance, after_up in draws(after_first):
                for second, second_chance, after_second in draws(after_up):
                    for hole, hole_chance, left in draws(after_second):
                        chance = first_chance * up_chance * second_chance * hole_chance
                        entry = found[classes_of((up, hole)), classes_of((first, second))]
                        entry[0] += chance
                        entry[1] += chance * self.open_round_value(left, (first, second), up, hole)
        return {key: (chance, worth) for key, (chance, worth) in found.items()}

    @property
    def shown(self) -> Shown:
        """What the player sees of the dealer's cards."""
        is_open = self.rules.hole_card == "open" and self.hole is not None
        return classes_of((self.up, self.hole)) if is_open else point_class_of_rank(self.up)

    def open_round_value(self, left: Shoe, hand: Cards, up: int, hole: int) -> float:
        """Return what a round is worth in which both of the dealer's cards lie open: a natural ends it."""
        has_natural = is_ace_and_ten(hand) and self.rules.natural_beats_21
        if is_ace_and_ten((up, hole)) and self.rules.natural_beats_21:
            tied = self.natural_pay if self.rules.natural_always_wins else 0.0
            return tied if has_natural else -1.0
        self.up, self.hole = up, hole
        if has_natural:
            return self.natural_pay
        return max(
            self.after_the_peek(left, hand, up, hole, name) for name in self.open_actions(hand, up, hole)
        )

    def open_actions(self, hand: Cards, up: int, hole: int) -> list[str]:
        """Return what the player's decision on the first two cards may be."""
        names = self.player.first[classes_of((up, hole)), classes_of(hand)]
        return [name for name in names if name != "split" or self.is_pair(hand)]

    def first_hands(self, up_class: int) -> dict[Cards, tuple[float, float]]:
        """Return the chance of each pair of first classes with an up-card, and what it wins times that chance."""
        found: dict[Cards, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for first, first_chance, after_first in draws(self.shoe):
            for up, up_chance, after_up in draws(after_first):
                if point_class_of_rank(up) != up_class:
                    continue
                for second, second_chance, left in draws(after_up):
                    chance = first_chance * up_chance * second_chance
                    entry = found[classes_of((first, second))]
                    entry[0] += chance
                    entry[1] += chance * self.round_value(left, (first, second), up)
        return {classes: (chance, worth) for classes, (chance, worth) in found.items()}

    def round_value(self, left: Shoe, hand: Cards, up: int) -> float:
        """Return what the player's decision on the first two cards is worth."""
        if is_ace_and_ten(hand) and self.rules.natural_beats_21:
            return self.action_value(left, hand, up, "stand")
        names = self.player.first[point_class_of_rank(up), classes_of(hand)]
        allowed = [name for name in names if name != "split" or self.is_pair(hand)]
        return max(self.action_value(left, hand, up, name) for name in allowed)

    def action_value(self, left: Shoe, hand: Cards, up: int, action: str) -> float:
        """Return the expected result of a round, from an action on the player's first two cards on."""
        has_natural = is_ace_and_ten(hand) and self.rules.natural_beats_21
        is_paid_blind = self.rules.twenty_one_pays_at_once and self.rules.hole_card != "peek"
        if has_natural and (is_paid_blind or self.rules.natural_always_wins):
            return self.natural_pay
        if action == "surrender" and self.rules.surrender != "late":
            return -self.surrender_loss
        if self.rules.hole_card != "peek":
            return self.after_the_peek(left, hand, up, None, action)
        value = 0.0
        for hole, chance, after in draws(left):
            if self.rules.natural_beats_21 and is_ace_and_ten((up, hole)):
                value += chance * (0.0 if has_natural else -1.0)
            else:
                value += chance * self.after_the_peek(after, hand, up, hole, action)
        return value

    def after_the_peek(self, left: Shoe, hand: Cards, up: int, hole: int | None, action: str) -> float:
        self.up, self.hole = up, hole
        if is_ace_and_ten(hand) and self.rules.natural_beats_21:
            return self.natural(left)
        if action == "surrender":
            return self.late_surrender(left)
        if action == "split":
            return self.play_on(left, (), hand, 2, ())
        return self.act(left, hand, action, (), 0, ())

    def natural(self, left: Shoe) -> float:
        """Pay a natural, unless the dealer's second card makes one too."""
        if self.hole is not None:
            return self.natural_pay
        beaten = sum(chance for card, chance, _ in draws(left) if is_ace_and_ten((self.up, card)))
        return self.natural_pay * (1.0 - beaten)

    @property
    def natural_pay(self) -> float:
        """What a natural is paid on average over its suits."""
        won, bet = self.rules.natural_pays.split(":")
        usual = int(won) / int(bet)
        return (15 * usual + 2) / 16 if self.rules.bonus_21 == "super-fun-21" else usual

    @property
    def surrender_loss(self) -> float:
        kept, of = self.rules.surrender_returns.split("/")
        return 1.0 - int(kept) / int(of)

    def late_surrender(self, left: Shoe) -> float:
        """Give a part of the bet up; without a peek a dealer's natural still takes it all."""
        if self.hole is not None or not self.rules.natural_beats_21:
            return -self.surrender_loss
        return sum(
            chance * (-1.0 if is_ace_and_ten((self.up, card)) else -self.surrender_loss)
            for card, chance, _ in draws(left)
        )

    def play_on(self, left: Shoe, hand: Cards, waiting: Cards, hands: int, done: Hands) -> float:
        """Return the value of the rest of a round: this hand, then the split cards that wait, then the dealer.

        ``hands`` is how many hands a split has made, 0 before a split; no hand means that the next card waiting is dealt to.
        """
        key = (self.up, self.hole, left, hand[:1], tuple(sorted(hand[1:])), waiting, hands, done)
        if key not in self.rests:
            self.rests[key] = self._play_on(left, hand, waiting, hands, done)
        return self.rests[key]

    def _play_on(self, left: Shoe, hand: Cards, waiting: Cards, hands: int, done: Hands) -> float:
        if not hand:
            if not waiting:
                return self.dealer(left, done)
            card, *others = waiting
            return sum(
                chance * self.play_on(after, (card, second), tuple(others), hands, done)
                for second, chance, after in draws(left)
            )
        total, _ = count_of(hand)
        if total >= 21 or self.pay_at_once(hand):
            return self.stand(left, hand, waiting, hands, done)
        if len(hand) == 2 and hands and self.splits_again(hand, hands):
            return self.play_on(left, (), (*hand, *waiting), hands + 1, done)
        return self.act(left, hand, self.decision_in_play(hand, hands), waiting, hands, done)

    def act(self, left: Shoe, hand: Cards, action: str, waiting: Cards, hands: int, done: Hands) -> float:
        """Play one action on a hand, and what follows by the decisions."""
        if action == "hit":
            return sum(
                chance * self.play_on(after, (*hand, card), waiting, hands, done)
                for card, chance, after in draws(left)
            )
        if action == "double":
            total, is_soft = count_of(hand)
            is_free = self.rules.free_doubles and len(hand) == 2 and not is_soft and total in (9, 10, 11)
            return sum(
                chance * self.doubled(after, (*hand, card), 1, is_free, waiting, hands, done)
                for card, chance, after in draws(left)
            )
        if action == "surrender":
            lost = self.risk(hand, hands, done)
            return self.finish(left, (SURRENDERED, -self.surrender_loss, lost), waiting, hands, done)
        return self.stand(left, hand, waiting, hands, done)

    def stand(self, left: Shoe, hand: Cards, waiting: Cards, hands: int, done: Hands) -> float:
        """End a hand that is not doubled."""
        total, _ = count_of(hand)
        risk = self.risk(hand, hands, done)
        paid = self.pay_at_once(hand)
        if total > 21:
            return self.finish(left, (BUSTED, 0.0, risk), waiting, hands, done)
        return self.finish(
            left, (PAID_AT_ONCE, paid, 0.0) if paid else (total, 1.0, risk), waiting, hands, done
        )

    def doubled(
        self, left: Shoe, hand: Cards, doubles: int, is_free: bool, waiting: Cards, hands: int, done: Hands
    ) -> float:
        """Go on with a hand that has just been doubled."""
        total, _ = count_of(hand)
        won = 2.0**doubles
        lost = self.risk(hand, hands, done) + (0.0 if is_free else won - 1.0)
        if total > 21:
            return self.finish(left, (BUSTED, 0.0, lost), waiting, hands, done)
        if total == 21:
            code = PAID_AT_ONCE if self.rules.twenty_one_pays_at_once else total
            return self.finish(left, (code, won, lost), waiting, hands, done)
        move = self.player.doubled.get((doubles, self.shown, classes_of(hand)), "stand")
        if move == "double":
            return sum(
                chance * self.doubled(after, (*hand, card), doubles + 1, is_free, waiting, hands, done)
                for card, chance, after in draws(left)
            )
        code = GIVEN_UP if move == "surrender" else total
        return self.finish(left, (code, won, lost), waiting, hands, done)

    def risk(self, hand: Cards, hands: int, done: Hands) -> float:
        """Return what a hand that is not doubled loses: nothing if it was split with a free bet, as all but the first are."""
        is_free = self.rules.free_splits and hands > 0 and len(done) > 0 and not is_ten(hand[0])
        return 0.0 if is_free else 1.0

    def finish(
        self, left: Shoe, ended: tuple[int, float, float], waiting: Cards, hands: int, done: Hands
    ) -> float:
        return self.play_on(left, (), waiting, hands, tuple(sorted((*done, ended))))

    def pay_at_once(self, hand: Cards) -> float:
        """Return what a hand that is not doubled is paid before the dealer plays, on average over its suits; 0: it waits."""
        total, count = count_of(hand)[0], len(hand)
        if total > 21:
            return 0.0
        if total == 21 and count >= 5 and self.rules.bonus_21 != "none":
            return {5: 1.5, 6: 2.0}.get(count, 3.0) if self.rules.bonus_21 == "spanish-21" else 2.0
        if self.rules.bonus_21 == "spanish-21" and count == 3 and total == 21:
            names = "".join(sorted(RANK_LETTERS[rank] for rank in hand))
            packs = 10**15 if self.rules.decks == "infinite" else self.rules.decks
            sevens = max(packs - 1, 0) / (4 * packs - 1) * max(packs - 2, 0) / (4 * packs - 2)
            suited = {"678": 1 / 16, "777": sevens}.get(names)
            if suited is not None:
                return 1.5 + suited * (0.5 * 3 / 4 + 1.5 * 1 / 4)
        is_charlie = self.rules.charlie != "off" and count >= self.rules.charlie
        return float(is_charlie or (self.rules.twenty_one_pays_at_once and total == 21))

    def decision_in_play(self, hand: Cards, hands: int) -> str:
        """Return what a hand does by the player's decisions, as far as the rules allow it after a split."""
        key = self.shown, classes_of(hand)
        action = self.player.play[key]
        if action == "double" and not self.may_double(hand, hands):
            action = self.player.no_double[key]
        is_split_ace = hands > 0 and len(hand) == 2 and hand[0] == ACE
        return "stand" if action == "hit" and is_split_ace and not self.rules.hit_split_aces else action

    def may_double(self, hand: Cards, hands: int) -> bool:
        """Tell whether a hand may be doubled."""
        rules = self.rules
        total, is_soft = count_of(hand)
        if len(hand) > 2 and not rules.double_any_cards:
            return False
        if hands and not rules.double_after_split:
            return False
        if hands and hand[0] == ACE and not rules.double_split_aces:
            return False
        if is_soft and not rules.double_soft:
            return False
        if total == 21 or rules.double == "none":
            return False
        lowest = {"any": 2, "9-11": 9, "10-11": 10}[rules.double]
        return rules.double == "any" or lowest <= total <= 11

    def is_pair(self, hand: Cards) -> bool:
        first, second = hand
        if is_ten(first) and not self.rules.split_tens:
            return False
        if RANK_LETTERS[first] in self.rules.never_split:
            return False
        if self.rules.split_by == "rank":
            return first == second
        return point_class_of_rank(first) == point_class_of_rank(second)

    def splits_again(self, hand: Cards, hands: int) -> bool:
        """Tell whether a pair after a split makes a new hand: always where the rules allow it."""
        if hands >= self.rules.split_hands or (hand[0] == ACE and not self.rules.resplit_aces):
            return False
        return self.is_pair(hand)

    def dealer(self, left: Shoe, done: Hands) -> float:
        """Let the dealer draw, and settle every hand."""
        original_only = self.rules.hole_card == "no-peek-original-bet"
        if not original_only and all(total in (BUSTED, PAID_AT_ONCE) for total, *_ in done):
            return sum(won if total == PAID_AT_ONCE else -lost for total, won, lost in done)
        cards = (self.up,) if self.hole is None else (self.up, self.hole)
        value = 0.0
        for dealer_total, chance in self.dealer_endings(left, cards).items():
            if dealer_total == DEALER_NATURAL and original_only:
                value -= chance
            else:
                pushed = dealer_total == 22 and self.rules.dealer_22_pushes
                ties_lose = self.rules.ties_lose
                value += chance * sum(result(*ended, dealer_total, pushed, ties_lose) for ended in done)
        return value

    def dealer_endings(self, left: Shoe, cards: Cards) -> dict[int, float]:
        """Return the chance of each of the dealer's final totals, by dealing them."""
        key = (left, tuple(sorted(cards)))
        if key not in self.endings:
            self.endings[key] = self._dealer_endings(left, cards)
        return self.endings[key]

    def _dealer_endings(self, left: Shoe, cards: Cards) -> dict[int, float]:
        total, is_soft = count_of(cards)
        if is_ace_and_ten(cards) and self.rules.natural_beats_21:
            return {DEALER_NATURAL: 1.0}
        hits = total < 17 or (total == 17 and is_soft and self.rules.soft17 == "hit")
        if len(cards) > 1 and not hits:
            return {total: 1.0}
        endings: dict[int, float] = defaultdict(float)
        for card, chance, after in draws(left):
            for ending, further in self.dealer_endings(after, (*cards, card)).items():
                endings[ending] += chance * further
        return dict(endings)


def result(
    total: int, won: float, lost: float, dealer_total: int, pushed: bool = False, ties_lose: bool = False
) -> float:
    """Return what a finished hand wins against the dealer's total."""
    if total == PAID_AT_ONCE:
        return won
    if total == BUSTED or dealer_total == DEALER_NATURAL:
        return -lost
    if total == GIVEN_UP:
        return -lost / 2
    if total == SURRENDERED:
        return won
    if pushed:
        return 0.0
    if dealer_total > 21 or total > dealer_total:
        return won
    return 0.0 if total == dealer_total and not ties_lose else -lost


def shoe_of(cards: str) -> ShoeCounts:
    """Return a shoe of these ranks, such as ``"8888TTAA"``."""
    ranks = np.zeros(RANKS)
    for letter in cards:
        ranks[parse_rank(letter)] += 1
    return ShoeCounts(ranks)


def real_cards(shoe: ShoeCounts) -> Shoe:
    return tuple(int(count) for count in shoe.ranks)


def random_shoe(source: random.Random, largest: int = 16) -> str:
    """Draw ten cards or more, many of them of one rank that makes pairs."""
    size = source.randint(10, largest)
    pair = source.choice("2346789TA")
    others = source.sample([letter for letter in RANK_LETTERS if letter != pair], 4)
    if pair == "T":
        others[0] = "K"
    cards = pair * source.randint(4, 6)
    while len(cards) < size:
        cards += source.choice([*others, "T", "9"])
    return "".join(sorted(cards, key=RANK_LETTERS.index))


def legal_actions(brute: BruteForce, hand: Cards, up: int) -> set[str]:
    """Return what the rules allow with the first two cards."""
    rules = brute.rules
    if count_of(hand)[0] == 21:
        return {"stand"}
    actions = {"stand", "hit"}
    if brute.may_double(hand, hands=0):
        actions.add("double")
    if rules.split_hands > 1 and brute.is_pair(hand):
        actions.add("split")
    barred = {"none": (True, True), "early-not-ace": (True, False), "early-ace": (False, True)}
    if not barred.get(rules.surrender, (False, False))[up != ACE]:
        actions.add("surrender")
    return actions


#: Options that the exact value of a round from a given shoe does not depend on.
WITHOUT_EFFECT = {
    *("decks", "penetration", "shuffle", "insurance", "ten_spots", "doubled_card"),
    *("minimum_bet", "maximum_bet", "perfect_pairs", "twenty_one_plus_three"),
    *("lucky_ladies", "royal_match", "over_under_13", "lucky_lucky"),
}

#: Values that tiny shoes reach; every other option has all its values.
REACHED: dict[str, tuple[object, ...]] = {
    "charlie": ("off", "off", 5, 6),
    "split_hands": (1, 2, 3, 4, 4),
    "redoubles": (0, 0, 1, 2),
}

CHOICES = {
    name: REACHED.get(name, values) for name, values in option_values().items() if name not in WITHOUT_EFFECT
}


def random_rules(source: random.Random) -> BlackjackRules:
    """Draw a combination of all options that do not contradict each other."""
    options = {name: source.choice(values) for name, values in CHOICES.items()}
    options = without_contradictions({"doubled_card": "open", **options})
    return solvable(BlackjackRules.create(options))
