"""The entry points of the compiled search: plain C functions over memory that the caller owns.

They allocate nothing and raise nothing, so their machine code stands on its own and can be loaded without Numba.
"""

from typing import Any

import numba

from croupier.durak.engine.board_kernels import Position
from croupier.durak.players.drawn_hands_kernel import Judged, draw_hands, policy_log_odds
from croupier.durak.players.endgame_kernel import STACK_SHAPE, move_bounds
from croupier.durak.players.hidden_cards_kernel import Choices, Places, cheap_log_odds
from croupier.durak.players.known_cards_kernel import KnownCards
from croupier.durak.players.play_model_kernel import COLUMNS, NUMBERS
from croupier.durak.players.play_model_kernel import HIDDEN as MODEL_HIDDEN
from croupier.durak.players.play_out_kernel import Plan, Tried, Workspace, begin_play_outs, play_out
from croupier.durak.players.policy_network_kernel import MEMORY as POLICY_MEMORY
from croupier.durak.players.policy_network_kernel import OUTPUTS
from croupier.durak.players.search_kernel import PATH_SHAPE, Question, Tree, search
from croupier.durak.players.value_kernel import HIDDEN
from croupier.numerics.compiled import inlined

_DECK_SIZE = 36

#: The words of a question: its position, then the known, the unseen, the discarded and the taken cards.
QUESTION_WORDS = 14

#: The columns of the moves that are played out: whole numbers and fractions.
TRIED_NUMBERS, TRIED_FIGURES = 3, 6

# Numba does not describe these to type checkers.
_numba: Any = numba
types, carray = _numba.types, _numba.carray

_NUMBER = types.int64
_WORDS = types.CPointer(types.int64)
_LINKS = types.CPointer(types.int32)
_BYTES = types.CPointer(types.int8)
_FLOATS = types.CPointer(types.float64)
_SINGLES = types.CPointer(types.float32)
_STREAM = types.CPointer(types.uint64)


@inlined
def _position(words: Any) -> Position:
    return Position(
        words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], words[9]
    )


@inlined
def _question(words: Any) -> Question:
    return Question(_position(words), words[11], KnownCards(words[12], words[13], words[10]))


@inlined
def _tried(numbers: Any, figures: Any) -> Tried:
    return Tried(
        *(numbers[0], figures[0], numbers[1], figures[1], figures[2], figures[3]),
        *(numbers[2], figures[4], figures[5]),
    )


def search_entry(
    words: Any,
    enemies: Any,
    models: Any,
    hands: int,
    stock: Any,
    moves: Any,
    children: Any,
    siblings: Any,
    visits: Any,
    chances: Any,
    points: Any,
    size: Any,
    nodes: int,
    path: Any,
    hidden: Any,
    rounds: int,
    exploration: float,
    deep_exploration: float,
    modelled: float,
    stream: Any,
    positions: int,
    memo: Any,
    entries: int,
    allowance: Any,
    stack: Any,
    row: Any,
    model: Any,
) -> int:
    """Search for some rounds; return how many nodes the tree has afterwards."""
    asked = carray(words, (QUESTION_WORDS,))
    tree = Tree(
        carray(moves, (nodes,)),
        carray(children, (nodes,)),
        carray(siblings, (nodes,)),
        carray(visits, (nodes,)),
        carray(chances, (nodes,)),
        carray(points, (nodes,)),
        carray(size, (1,)),
        carray(path, PATH_SHAPE),
        carray(hidden, (HIDDEN,)),
        carray(memo, (entries, 2)),
        carray(allowance, (1,)),
        carray(stack, STACK_SHAPE),
        carray(row, (COLUMNS,)),
        carray(model, (2 * MODEL_HIDDEN + NUMBERS,)),
    )
    search(
        _question(asked),
        carray(enemies, (hands,)),
        carray(models, (hands,)),
        carray(stock, (_DECK_SIZE,)),
        tree,
        rounds,
        exploration,
        deep_exploration,
        modelled,
        positions,
        carray(stream, (1,)),
    )
    return int(tree.size[0])


@inlined
def _choices(columns: Any, seen: Any, public: Any, work: Any, number: int) -> Choices:
    rows = carray(columns, (8, number))
    return Choices(
        rows[0],
        rows[1],
        rows[2],
        rows[3],
        rows[4],
        rows[5],
        rows[6],
        rows[7],
        carray(seen, (number, COLUMNS)),
        carray(public, (number, MODEL_HIDDEN)),
        carray(work, (MODEL_HIDDEN + NUMBERS,)),
    )


@inlined
def _judged(hands: Any, gains: Any, cards: Any, odds: Any, policy: Any, choices: int, places: int) -> Judged:
    return Judged(
        carray(hands, (2, choices)),
        carray(gains, (2, choices)),
        carray(cards, (2, places)),
        carray(odds, (1, choices)),
        carray(policy, (POLICY_MEMORY,)),
    )


def hands_entry(
    columns: Any,
    seen: Any,
    public: Any,
    work: Any,
    choices: int,
    cards: Any,
    bounds: Any,
    places: int,
    drawn: int,
    known: int,
    trumps: int,
    cheap: int,
    odds: Any,
    hands_then: Any,
    gains: Any,
    cards_before: Any,
    odds_before: Any,
    policy: Any,
    asks_policy: int,
    enemies: Any,
    models: Any,
    hands: int,
    stream: Any,
) -> int:
    """Draw hands of the other player; return how many."""
    draw_hands(
        _choices(columns, seen, public, work, choices),
        Places(carray(cards, (places,)), carray(bounds, (places,))),
        drawn,
        known,
        trumps,
        cheap,
        carray(odds, (2, choices)),
        _judged(hands_then, gains, cards_before, odds_before, policy, choices, places),
        asks_policy != 0,
        carray(enemies, (hands,)),
        carray(models, (hands,)),
        carray(stream, (1,)),
    )
    return hands


def cheap_log_odds_entry(
    columns: Any,
    seen: Any,
    public: Any,
    work: Any,
    choices: int,
    cards: Any,
    bounds: Any,
    places: int,
    drawn: int,
    trumps: int,
    found: Any,
    odds: Any,
    result: Any,
    stream: Any,
) -> int:
    """Write down how much better the cheapest cards explain the choices of the other player than skill; return how many choices."""
    result[0] = cheap_log_odds(
        _choices(columns, seen, public, work, choices),
        Places(carray(cards, (places,)), carray(bounds, (places,))),
        drawn,
        trumps,
        carray(found, (places,)),
        carray(odds, (2, choices)),
        carray(stream, (1,)),
    )
    return choices


def policy_log_odds_entry(
    columns: Any,
    seen: Any,
    public: Any,
    work: Any,
    choices: int,
    cards: Any,
    bounds: Any,
    places: int,
    drawn: int,
    trumps: int,
    odds: Any,
    hands_then: Any,
    gains: Any,
    cards_before: Any,
    odds_before: Any,
    policy: Any,
    result: Any,
    stream: Any,
) -> int:
    """Write down how much better the policy explains the choices of the other player than the play model; return how many choices."""
    result[0] = policy_log_odds(
        _choices(columns, seen, public, work, choices),
        Places(carray(cards, (places,)), carray(bounds, (places,))),
        drawn,
        trumps,
        carray(odds, (2, choices)),
        _judged(hands_then, gains, cards_before, odds_before, policy, choices, places),
        carray(stream, (1,)),
    )
    return choices


def bounds_entry(
    words: Any,
    stock: Any,
    memo: Any,
    entries: int,
    allowance: Any,
    stack: Any,
    moves: Any,
    least: Any,
    most: Any,
    room: int,
    is_complete: int,
    promising: Any,
    promising_size: int,
) -> int:
    """Compute bounds for the value of every move where all cards are known; return how many moves there are."""
    return move_bounds(
        _position(carray(words, (QUESTION_WORDS,))),
        carray(stock, (_DECK_SIZE,)),
        carray(memo, (entries, 2)),
        carray(allowance, (1,)),
        carray(stack, STACK_SHAPE),
        carray(moves, (room,)),
        carray(least, (room,)),
        carray(most, (room,)),
        is_complete != 0,
        carray(promising, (promising_size,)),
    )


def begin_play_outs_entry(
    words: Any,
    enemy: int,
    model: int,
    stock: Any,
    numbers: Any,
    figures: Any,
    room: int,
    reach: float,
    policy: Any,
) -> int:
    """List the moves of a question with the policy's probabilities; return how many there are."""
    return begin_play_outs(
        _question(carray(words, (QUESTION_WORDS,))),
        enemy,
        model,
        carray(stock, (_DECK_SIZE,)),
        _tried(carray(numbers, (TRIED_NUMBERS, room)), carray(figures, (TRIED_FIGURES, room))),
        reach,
        carray(policy, (POLICY_MEMORY,)),
    )


def play_out_entry(
    words: Any,
    enemies: Any,
    models: Any,
    hands: int,
    stock: Any,
    numbers: Any,
    figures: Any,
    room: int,
    size: int,
    bouts: int,
    positions: int,
    trust: float,
    patience: float,
    searched: int,
    rounds: int,
    policy: Any,
    hidden: Any,
    memo: Any,
    entries: int,
    allowance: Any,
    stack: Any,
    inner_stock: Any,
    choices: Any,
    scores: Any,
    stream: Any,
) -> int:
    """Play the moves of a question out; return how many are still in question."""
    return play_out(
        _question(carray(words, (QUESTION_WORDS,))),
        carray(enemies, (hands,)),
        carray(models, (hands,)),
        carray(stock, (_DECK_SIZE,)),
        _tried(carray(numbers, (TRIED_NUMBERS, room)), carray(figures, (TRIED_FIGURES, room))),
        size,
        Plan(bouts, positions, trust, patience, searched),
        rounds,
        Workspace(
            carray(policy, (POLICY_MEMORY,)),
            carray(hidden, (HIDDEN,)),
            carray(memo, (entries, 2)),
            carray(allowance, (1,)),
            carray(stack, STACK_SHAPE),
            carray(inner_stock, (_DECK_SIZE,)),
            carray(choices, (OUTPUTS,)),
            carray(scores, (OUTPUTS,)),
        ),
        carray(stream, (1,)),
    )


#: Each entry with the types of its parameters; all return a 64-bit integer.
ENTRIES = (
    (
        search_entry,
        (
            *(
                _WORDS,
                _WORDS,
                _WORDS,
                _NUMBER,
                _BYTES,
                _WORDS,
                _LINKS,
                _LINKS,
                _LINKS,
                _LINKS,
                _FLOATS,
                _WORDS,
            ),
            *(_NUMBER, _WORDS, _SINGLES, _NUMBER, types.float64, types.float64, types.float64, _STREAM),
            *(_NUMBER, _WORDS, _NUMBER, _WORDS, _WORDS, _WORDS, _SINGLES),
        ),
    ),
    (
        hands_entry,
        (
            *(_WORDS, _WORDS, _SINGLES, _SINGLES, _NUMBER, _WORDS, _WORDS),
            *(_NUMBER, _NUMBER, _NUMBER, _NUMBER, _NUMBER, _FLOATS),
            *(_WORDS, _FLOATS, _WORDS, _FLOATS, _SINGLES, _NUMBER),
            *(_WORDS, _WORDS, _NUMBER, _STREAM),
        ),
    ),
    (
        cheap_log_odds_entry,
        (
            *(_WORDS, _WORDS, _SINGLES, _SINGLES, _NUMBER, _WORDS, _WORDS),
            *(_NUMBER, _NUMBER, _NUMBER, _WORDS, _FLOATS, _FLOATS, _STREAM),
        ),
    ),
    (
        policy_log_odds_entry,
        (
            *(_WORDS, _WORDS, _SINGLES, _SINGLES, _NUMBER, _WORDS, _WORDS),
            *(_NUMBER, _NUMBER, _NUMBER, _FLOATS),
            *(_WORDS, _FLOATS, _WORDS, _FLOATS, _SINGLES, _FLOATS, _STREAM),
        ),
    ),
    (
        bounds_entry,
        (
            *(_WORDS, _BYTES, _WORDS, _NUMBER, _WORDS, _WORDS, _WORDS, _WORDS, _WORDS, _NUMBER, _NUMBER),
            *(_WORDS, _NUMBER),
        ),
    ),
    (
        begin_play_outs_entry,
        (_WORDS, _NUMBER, _NUMBER, _BYTES, _WORDS, _FLOATS, _NUMBER, types.float64, _SINGLES),
    ),
    (
        play_out_entry,
        (
            *(_WORDS, _WORDS, _WORDS, _NUMBER, _BYTES, _WORDS, _FLOATS, _NUMBER, _NUMBER, _NUMBER, _NUMBER),
            *(types.float64, types.float64, _NUMBER, _NUMBER, _SINGLES, _SINGLES),
            *(_WORDS, _NUMBER, _WORDS, _WORDS, _BYTES, _WORDS, _FLOATS, _STREAM),
        ),
    ),
)
