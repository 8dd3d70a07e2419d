"""The three entry points of the compiled search: plain C functions over memory that the caller owns.

They allocate nothing and raise nothing, so their machine code stands on its own and can be loaded without Numba.
"""

from typing import Any

import numba

from croupier.durak.engine.board_kernels import Position
from croupier.durak.players.endgame_kernel import STACK_SHAPE, move_bounds
from croupier.durak.players.hidden_cards_kernel import Choices, Places, draw_hands
from croupier.durak.players.play_model_kernel import COLUMNS, NUMBERS
from croupier.durak.players.play_model_kernel import HIDDEN as MODEL_HIDDEN
from croupier.durak.players.search_kernel import PATH_SHAPE, Public, Question, Tree, search
from croupier.durak.players.value_kernel import HIDDEN
from croupier.numerics.compiled import inlined

_DECK_SIZE = 36

#: The words of a question: its position, then the known, the unseen, the discarded and the taken cards.
QUESTION_WORDS = 14

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
        Question(_position(asked), asked[10], asked[11], Public(asked[12], asked[13])),
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
    trust: float,
    odds: Any,
    enemies: Any,
    models: Any,
    hands: int,
    stream: Any,
) -> int:
    """Draw hands of the other player; return how many."""
    rows = carray(columns, (8, choices))
    draw_hands(
        Choices(
            rows[0],
            rows[1],
            rows[2],
            rows[3],
            rows[4],
            rows[5],
            rows[6],
            rows[7],
            carray(seen, (choices, COLUMNS)),
            carray(public, (choices, MODEL_HIDDEN)),
            carray(work, (MODEL_HIDDEN + NUMBERS,)),
        ),
        Places(carray(cards, (places,)), carray(bounds, (places,))),
        drawn,
        known,
        trumps,
        trust,
        carray(odds, (2, choices)),
        carray(enemies, (hands,)),
        carray(models, (hands,)),
        carray(stream, (1,)),
    )
    return hands


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
            *(
                _WORDS,
                _WORDS,
                _SINGLES,
                _SINGLES,
                _NUMBER,
                _WORDS,
                _WORDS,
                _NUMBER,
                _NUMBER,
                _NUMBER,
                _NUMBER,
            ),
            *(types.float64, _FLOATS),
            *(_WORDS, _WORDS, _NUMBER, _STREAM),
        ),
    ),
    (
        bounds_entry,
        (*(_WORDS, _BYTES, _WORDS, _NUMBER, _WORDS, _WORDS, _WORDS, _WORDS, _WORDS, _NUMBER, _NUMBER),),
    ),
)
