"""Four drills of a card counter: deviations, the running count, the true count from a discard tray, and bets.

A drill has items (an index, a depth of the shoe, a count), each known as well as its record says. Items are drawn by how often they come and how
badly they are known, and a question is built from its item and its own random stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.engine.state import ActionKind
from croupier.blackjack.play.cells import FirstHand
from croupier.blackjack.play.counter_book import CounterBook
from croupier.blackjack.play.drill import CellRecord, cards_of, pick
from croupier.blackjack.play.phrases import KEYS, label_of, way_phrase
from croupier.blackjack.solvers.chart_moves import first_move
from croupier.cards import DECK_SIZE
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.texts import in_row, say

DRILLS = ("deviations", "count", "true-count", "bets")

INSURANCE = "insurance"

#: The up-card of a question about insurance.
_ACE = 51

#: Counts around an index at which its play is asked.
_AROUND = (-2, -1, 0, 1)

#: Indices further from 0 than this come up too rarely to be drilled.
_FARTHEST = 8

#: Counts of fewer rounds than this part of all are not drilled.
_RAREST = 0.002

#: Cards to count at the lowest level, more at each level, the slowest glance and the fastest, in seconds.
_CARDS, _MORE_CARDS = 8, 4
_SLOWEST, _FASTEST, _FASTER = 1.6, 0.5, 0.85


@dataclass(frozen=True, slots=True)
class Task:
    """A question: which drill, which item, which random stream, and at which level it was asked."""

    drill: str
    item: str
    number: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """What a task shows, and what is right.

    Attributes
    ----------
    count
        The count that is shown; None where it is what is asked.
    running, cards_left
        The running count that is told, and how many cards are not seen yet when it is used.
    cards, dealer_card, hand
        A hand to play, or cards to count.
    glance, seconds
        How many cards are shown together, and for how long.
    right
        The right answer.
    """

    right: str
    count: int | None = None
    running: int | None = None
    cards_left: int = 0
    cards: tuple[int, ...] = ()
    dealer_card: int | None = None
    hand: FirstHand | None = None
    glance: int = 1
    seconds: float = 0.0


class Judged(NamedTuple):
    """What an answer was worth: whether it is right, what it costs in units, why, and what each choice is worth."""

    is_right: bool
    cost: float
    text: str
    worths: tuple[tuple[str, float], ...] = ()


def items_of(book: CounterBook, drill: str) -> dict[str, float]:
    """List what a drill can ask, each with how much it matters before anything is known of the person.

    Raises
    ------
    InputError
        If there is nothing to drill.
    """
    match drill:
        case "deviations":
            return _deviations(book)
        case "count":
            return {"count": 1.0}
        case "true-count":
            verify_true_count(book.strategy.system)
            halves = range(1, max(2 * book.decks, 2))
            return {f"{half / 2:g}": 1.0 for half in halves}
        case "bets":
            common = {
                count: worth.share
                for count, worth in book.worths.items()
                if worth.share >= _RAREST and count >= book.strategy.ramp.start - 2
            }
            return {str(count): share**0.25 for count, share in common.items()}
        case _:
            raise InputError(say("training.refused.exercise", name=drill, exercises=", ".join(DRILLS)))


def verify_true_count(system: CountingSystem) -> None:
    """Raise unless a system is counted by true counts.

    >>> from croupier.blackjack.counting.system import KO
    >>> verify_true_count(KO)
    Traceback (most recent call last):
    croupier.errors.InputError: ko needs no true count: it goes by the running count
    """
    if not system.is_balanced:
        raise InputError(say("training.refused.unbalanced", system=system.name))


def _deviations(book: CounterBook) -> dict[str, float]:
    """Weigh every index by how often it decides: how often its hand comes at the counts around it."""
    found = {}
    for play in book.strategy.indices.plays:
        cell = book.chart_book.cells[play.row, play.up_card]
        share = _share_around(book, play.count)
        if cell.hands and abs(play.count) <= _FARTHEST and share > 0:
            found[f"{play.row} v {play.up_card} {play.count:+d}"] = (cell.probability * share) ** 0.5
    index = book.strategy.indices.insurance
    if index is not None:
        found[INSURANCE] = (_share_around(book, index) / 13) ** 0.5
    if not found:
        raise InputError(say("training.refused.no_indices"))
    return found


def _share_around(book: CounterBook, count: int) -> float:
    return sum(book.worths[near].share for near in range(count - 2, count + 2) if near in book.worths)


def draw_task(
    book: CounterBook,
    drill: str,
    seed: int,
    number: int,
    records: Mapping[str, CellRecord],
    last: str | None,
) -> Task:
    """Draw the next question of a drill; what is known comes rarely, and nothing twice in a row if there is anything else."""
    items = items_of(book, drill)
    names = [name for name in items if name != last] or list(items)
    weights = [items[name] * 2.0 ** -records.get(name, CellRecord()).level for name in names]
    item = names[pick(weights, RandomStream((seed, DRILLS.index(drill), number, 0)))]
    return Task(drill, item, number, records.get(item, CellRecord()).level)


def setting_of(book: CounterBook, task: Task, seed: int) -> Setting:
    """Build what a task shows.

    Raises
    ------
    InputError
        If there is no such item in the drill.
    """
    if task.item not in items_of(book, task.drill):
        raise InputError(say("training.refused.item", item=task.item))
    stream = RandomStream((seed, DRILLS.index(task.drill), task.number, 1))
    match task.drill:
        case "deviations":
            return _deviation_setting(book, task, stream)
        case "count":
            return _count_setting(book, task, stream)
        case "true-count":
            return _true_count_setting(book, task, stream)
        case _:
            return Setting(str(book.bet(int(task.item))), count=int(task.item))


def _deviation_setting(book: CounterBook, task: Task, stream: RandomStream) -> Setting:
    indices = book.strategy.indices
    if task.item == INSURANCE:
        assert indices.insurance is not None, "insurance is among the items"
        count = indices.insurance + _AROUND[stream.below(len(_AROUND))]
        return Setting("insure" if count >= indices.insurance else "decline", count=count, dealer_card=_ACE)
    place, _, index = task.item.rpartition(" ")
    row, _, up_card = place.partition(" v ")
    count = int(index) + _AROUND[stream.below(len(_AROUND))]
    hands = book.chart_book.cells[row, up_card].hands
    hand = hands[pick([hand.probability for hand in hands], stream)]
    first, second, dealer_card = cards_of(hand, book.rules, stream)
    return Setting(
        advised_at(book, hand, count), count=count, cards=(first, second), dealer_card=dealer_card, hand=hand
    )


def advised_at(book: CounterBook, hand: FirstHand, count: int) -> str:
    """Return what chart and indices do with a first hand at a count."""
    allowed = Allowed.of(*(Move(action) for action in hand.worths))
    return first_move(book.chart_at(count), *hand.cards, hand.up_card, allowed, book.rules).value


def _count_setting(book: CounterBook, task: Task, stream: RandomStream) -> Setting:
    """Deal cards to somebody who comes to a shoe and is told its count: more cards and faster at higher levels."""
    level = max(task.level, 0)
    number = min(_CARDS + _MORE_CARDS * level, DECK_SIZE // 2)
    whole = DECK_SIZE * book.decks
    seen = stream.below(max(whole // 2, 1))
    number = min(number, whole - seen - DECK_SIZE // 4)
    shoe = [card for card in range(DECK_SIZE) for _ in range(book.decks)]
    cards = []
    for _ in range(number):
        cards.append(shoe.pop(stream.below(len(shoe))))
    system = book.strategy.system
    running = system.initial_count(book.decks) + stream.below(2 * book.decks + 3) - book.decks - 1
    right = running + sum(system.tag(card) for card in cards)
    glance = 1 if level < 3 else 2 if level < 5 else 3
    seconds = max(_SLOWEST * _FASTER**level, _FASTEST) * (1 if glance == 1 else 0.6 * glance)
    return Setting(
        str(right), running=running, cards_left=whole - seen - number, cards=tuple(cards), glance=glance, seconds=seconds
    )  # fmt: skip


def _true_count_setting(book: CounterBook, task: Task, stream: RandomStream) -> Setting:
    cards_left = round(float(task.item) * DECK_SIZE)
    most = max(round(4 * cards_left / DECK_SIZE * book.strategy.system.spread), 3)
    running = stream.below(2 * most + most // 2 + 1) - most
    return Setting(str(book.count_of(running, cards_left)), running=running, cards_left=cards_left)


def choices_of(book: CounterBook, task: Task, setting: Setting) -> tuple[Choice, ...]:
    """List the answers to choose from; none where a number is asked."""
    if task.drill != "deviations":
        return ()
    names = (
        ("insure", "decline")
        if setting.hand is None
        else tuple(book.worths_at(setting.hand, setting.count or 0))
    )
    return tuple(Choice(kind.value, label_of(kind), key) for kind, key in KEYS.items() if kind in names)


def judge(book: CounterBook, task: Task, setting: Setting, answer: str) -> Judged:
    """Say whether an answer is right, and what it costs.

    Raises
    ------
    InputError
        If it is no answer to the question.
    """
    if task.drill == "deviations":
        return _judge_play(book, setting, answer)
    try:
        number = int(answer)
    except ValueError:
        raise InputError(say("training.refused.number", answer=answer)) from None
    right = int(setting.right)
    if task.drill == "bets":
        if not 0 <= number <= 1000:
            raise InputError(say("training.refused.bet"))
        cost = book.bet_cost(setting.count or 0, number)
        key = "bet_right" if number == right else "bet_wrong"
        text = say(f"training.verdict.{key}", right=right, answer=number, count=setting.count, cost=cost)
        return Judged(number == right, cost, text)
    is_running = task.drill == "count"
    true = book.count_of(right, setting.cards_left) if is_running else right
    believed = book.count_of(number, setting.cards_left) if is_running else number
    cost = book.bet_cost(true, book.bet(believed))
    decks = setting.cards_left / DECK_SIZE
    key = "right" if number == right else "wrong" if cost > 0 else "harmless"
    text = say(
        f"training.verdict.{'running' if is_running else 'true'}_{key}",
        right=right, answer=number, bet=book.bet(believed), right_bet=book.bet(true), cost=cost,
        running=setting.running, decks=decks, exact=(setting.running or 0) / decks,
    )  # fmt: skip
    return Judged(number == right, cost if number != right else 0.0, text)


def _judge_play(book: CounterBook, setting: Setting, answer: str) -> Judged:
    count = setting.count or 0
    if setting.hand is None:
        worths = {ActionKind.INSURE.value: book.insurance_worth(count), ActionKind.DECLINE.value: 0.0}
    else:
        worths = book.worths_at(setting.hand, count)
    if answer not in worths:
        raise InputError(
            say("training.refused.play", answer=answer, offered=in_row([way_phrase(name) for name in worths]))
        )
    cost = max(worths[setting.right] - worths[answer], 0.0)
    is_right = answer == setting.right or cost == 0
    text = say(
        f"training.verdict.play_{'right' if is_right else 'wrong'}",
        right=way_phrase(setting.right),
        answer=way_phrase(answer),
        cost=cost,
        count=count,
    )
    ranked = tuple(sorted(worths.items(), key=lambda entry: -entry[1]))
    return Judged(is_right, 0.0 if is_right else cost, text, ranked)
