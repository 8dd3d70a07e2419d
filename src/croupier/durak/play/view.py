"""What the person at a durak table may see: their hand and the public facts, and nothing else before the game is over."""

from dataclasses import dataclass

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import sorted_by_cost
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import ActionKind, GameState
from croupier.durak.play.facts import OPPONENT, YOU, JudgedMove, PastGame, TableFacts, TableSetting
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.master import only_answer
from croupier.durak.players.review import MoveClass

#: The keys of the cards in hand, in their order: the digits, then letters that nothing else on the page uses.
CARD_KEYS = "1234567890qwetyuiopasdfgjkl"

#: The same at tables of any rules, and the keys of the cards that pass the attack on there.
VARIANT_CARD_KEYS = "1234567890qwetyuiopjklzxcvbnm"
PASSING_KEYS = "asdfgh"

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in the person's hand: whether it can be played now, its key, and what it is worth if that was asked."""

    card: int
    is_playable: bool
    key: str
    worth: float | None = None
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class TableMove:
    """A move that everybody has seen."""

    is_yours: bool
    kind: ActionKind
    cards: Cards


@dataclass(frozen=True, slots=True)
class MoveCost:
    """A choice of the person: the situation, what was chosen, what would have been best, what it cost, and the standard errors."""

    number: int
    phase: Phase
    hand: Cards
    table: Cards
    trump: int
    played: Cards
    best: Cards
    score: float
    best_score: float
    loss: float
    move_class: MoveClass
    error: float
    score_error: float
    best_error: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended for the person, the engine's fault if there was one, and the cards in the other hand."""

    outcome: str
    verdict: str
    reason: str
    opponents_hand: Cards


@dataclass(frozen=True, slots=True)
class DurakView:
    """Everything that is shown of a table.

    Attributes
    ----------
    number
        The game's number, from 1.
    setting
        How it is played.
    phase
        What the player in turn is asked for.
    is_yours, is_opponents
        Whose turn it is.
    you_led
        Whether the person led the first bout.
    hand
        The person's cards, plain ones by rank, then trumps.
    table
        The pairs on the table: each attack card with the card that beat it.
    trump, deck_count, discard_count
        The stock.
    enemy_count, known_enemy
        How many cards the opponent holds, and those among them that lay open before.
    has_choice, can_pass, throw_in_limit
        Whether the rules leave the person a choice, whether playing no card is allowed, and how many can be thrown in.
    moves
        The game so far.
    has_coach, advice, last_move
        What the coach says before and after a move.
    ending, review
        The end of the game and what is said of it.
    score, past
        Won, drawn and lost games, and the list of them.
    can_undo, is_undone
        Whether the person can take a move back, and whether one was taken back: then the game does not count.
    is_exercise, exercises_left
        Whether the game began from a position, and how many positions come after this one.
    """

    number: int
    setting: TableSetting
    phase: Phase
    is_yours: bool
    is_opponents: bool
    you_led: bool
    hand: tuple[HandCard, ...]
    table: tuple[tuple[int, int | None], ...]
    trump: int
    deck_count: int
    discard_count: int
    enemy_count: int
    known_enemy: Cards
    has_choice: bool
    can_pass: bool
    throw_in_limit: int
    moves: tuple[TableMove, ...]
    has_coach: bool
    advice: tuple[MoveValue, ...]
    last_move: MoveCost | None
    ending: Ending | None
    review: tuple[MoveCost, ...] | None
    score: tuple[int, int, int]
    past: tuple[PastGame, ...]
    can_undo: bool
    is_undone: bool
    is_exercise: bool
    exercises_left: int


def view_of(facts: TableFacts) -> DurakView:
    """Return what the person may see of a table.

    Examples
    --------
    >>> from croupier.durak.engine.rules import DurakRules
    >>> from croupier.durak.play.facts import dealt
    >>> view = view_of(dealt(TableSetting("durak-dummy", DurakRules()), seed=1, number=0))
    >>> len(view.hand), view.enemy_count, view.known_enemy, view.deck_count
    (6, 6, (), 24)
    """
    seen = observe(facts.game, YOU)
    situations = _situations(facts)
    return DurakView(
        number=facts.number + 1,
        setting=facts.setting,
        phase=Phase.OVER if facts.is_over else seen.phase,
        is_yours=facts.is_yours,
        is_opponents=facts.is_opponents,
        you_led=facts.game.leader == YOU,
        hand=_hand(facts, seen),
        table=pairs_on(facts.game),
        trump=seen.trump,
        deck_count=seen.deck_count,
        discard_count=len(seen.discarded),
        enemy_count=seen.enemy_count,
        known_enemy=tuple(seen.by_cost(seen.known_enemy)),
        has_choice=facts.is_yours and only_answer(seen) is None,
        can_pass=facts.is_yours and seen.can_pass,
        throw_in_limit=seen.throw_in_limit if facts.is_yours and seen.phase is Phase.THROW_IN else 0,
        moves=tuple(
            TableMove(seat == YOU, action.kind, action.cards)
            for seat, action in zip(facts.movers, facts.game.history, strict=True)
        ),
        has_coach=facts.has_coach,
        advice=() if facts.hides_advice else facts.advice,
        last_move=None if facts.last_move is None else _cost(facts.last_move, situations),
        ending=_ending(facts),
        review=None if facts.judged is None else tuple(_cost(move, situations) for move in facts.judged),
        score=facts.score,
        past=facts.past,
        can_undo=facts.is_yours and own_choice(facts) is not None,
        is_undone=facts.is_undone,
        is_exercise=facts.origin is not None,
        exercises_left=len(facts.queue),
    )


def own_choice(facts: TableFacts) -> GameState | None:
    """Return the position in which the person last made a choice in this game; None before the first one."""
    current = begun(facts.game)
    found = None
    first = 0 if facts.origin is None else len(facts.origin.history)
    for number, action in enumerate(facts.game.history):
        if number >= first and current.to_act == YOU and only_answer(observe(current, YOU)) is None:
            found = current
        current = act(current, action)
    return found


def _hand(facts: TableFacts, seen: Observation) -> tuple[HandCard, ...]:
    fits = seen.playable if facts.is_yours else ()
    advice = () if facts.hides_advice else facts.advice
    worths = {value.cards[0]: value.expected_score for value in advice if len(value.cards) == 1}
    best = advice[0].cards if advice else ()
    cards = seen.by_cost(seen.hand)
    return tuple(
        HandCard(card, card in fits, CARD_KEYS[place : place + 1], worths.get(card), card in best)
        for place, card in enumerate(cards)
    )


def pairs_on(state: GameState) -> tuple[tuple[int, int | None], ...]:
    """Return the pairs on the table, each attack card with the card that beat it, then the cards that wait and those that were thrown in.

    >>> from croupier.durak.engine.actions import answer
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> pairs_on(answer(start(DurakRules(), PACK), PACK[:1]))
    ((16, None),)
    """
    beaten = [
        (state.table[place], state.table[place + 1] if place + 1 < len(state.table) else None)
        for place in range(0, len(state.table), 2)
    ]
    return (*beaten, *((card, None) for card in (*state.waiting, *state.thrown_in)))


def _situations(facts: TableFacts) -> dict[int, Observation]:
    """Return what the person saw at each of the moves that are judged."""
    judged = {move.number for move in (*(facts.judged or ()), *filter(None, [facts.last_move]))}
    if not judged:
        return {}
    current = begun(facts.game)
    seen = {}
    for number, action in enumerate(facts.game.history):
        if number in judged:
            seen[number] = observe(current, YOU)
        current = act(current, action)
    return seen


def _cost(move: JudgedMove, situations: dict[int, Observation]) -> MoveCost:
    seen = situations[move.number]
    return MoveCost(
        number=move.number,
        phase=seen.phase,
        hand=tuple(seen.by_cost(seen.hand)),
        table=seen.table,
        trump=seen.trump,
        played=move.played.cards,
        best=move.best.cards,
        score=move.played.expected_score,
        best_score=move.best.expected_score,
        loss=move.loss,
        move_class=move.move_class,
        error=move.error,
        score_error=move.played.error,
        best_error=move.best.error,
    )


def _ending(facts: TableFacts) -> Ending | None:
    if facts.ending is None:
        return None
    game, fault = facts.game, facts.forfeit
    hand = tuple(sorted_by_cost(game.hands[OPPONENT], game.trump_suit)) if game.is_over else ()
    return Ending(
        facts.ending, "" if fault is None else str(fault.verdict), "" if fault is None else fault.reason, hand
    )


def variant_hand(seen: Observation, *, is_asked: bool) -> tuple[HandCard, ...]:
    """Return the cards of a hand at a table of any rules, the cheapest first; they can be played only by who is asked.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> seen = Observation(Phase.ATTACK, PACK[:11], (), (), 0, 3, PACK[30])
    >>> "".join(held.key for held in variant_hand(seen, is_asked=True))
    '1234567890q'
    """
    return tuple(
        HandCard(card, is_asked and card in seen.playable, VARIANT_CARD_KEYS[place : place + 1])
        for place, card in enumerate(seen.by_cost(seen.hand))
    )
