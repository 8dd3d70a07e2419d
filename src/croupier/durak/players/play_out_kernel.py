"""Play-outs of every move, as compiled code: each is tried in the same deals, and both players go on as the policy network does.

A deal gives the other player one of the hands that fit what has been seen, and puts the stock into a random order. From each move
the policy plays the bout to its end, and so many further bouts; then the value network says what the position is worth, or a proof
where the stock is used up and few cards are left. The policy sees what each player would see and nothing else, so no play-out rests on
cards that its player could not know. What a deal brings all moves alike is taken off before moves are compared.

Where there is time, the first choices of a play-out are not drawn from the policy but searched: the player in turn, who does not know the
deal either, plays its likeliest choices out in a few deals of its own. Such play-outs within play-outs follow the policy alone.

In a deal in which the other player is taken to play its cheapest card always, it does so, and the searcher follows the networks that
have learnt against such a player. The searcher sits in seat 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    THROW_IN,
    Position,
    Stock,
    answered,
    phase_of,
    score_of_first,
    seat_in_turn,
)
from croupier.durak.players.endgame_kernel import UNKNOWN, Allowance, Memo, Stack
from croupier.durak.players.hidden_cards_kernel import CHEAP, FREE
from croupier.durak.players.known_cards_kernel import KnownCards, known_after, taken_by
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.durak.players.policy_network_kernel import Memory, drawn_move, likeliest_choices, move_chances
from croupier.durak.players.search_kernel import (
    Question,
    deal_stock,
    proved_bout,
    with_enemy,
)
from croupier.durak.players.value_kernel import Hidden, expected_score, expected_score_against_cheap
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, splitmix_below

_DECK_SIZE = 36

#: How many deals are tried before moves are dropped, and between two looks.
_DEALS_BETWEEN = 16

#: A choice that is searched inside a play-out: in so many deals, among those whose logarithm is at most so far behind the likeliest.
_INNER_DEALS = 8
_INNER_REACH = 2.0

_ALL_CARDS = (1 << _DECK_SIZE) - 1


class Tried(NamedTuple):
    """The moves of a question as columns, and what play-outs have found of them."""

    moves: NDArray[np.int64]
    chances: NDArray[np.float64]  # the logarithm of the policy's probability
    visits: NDArray[np.int64]
    points: NDArray[np.float64]  # sum of the scores
    leads: NDArray[np.float64]  # sum of the scores, each less the mean of its deal
    squares: NDArray[np.float64]  # sum of the squares of these
    is_kept: NDArray[np.int64]  # 1 while the move may be the best
    scores: NDArray[np.float64]  # those of the deal under way
    before: NDArray[np.float64]  # the mean lead that play-outs of an earlier plan have found


class Workspace(NamedTuple):
    """Memory of networks and proofs."""

    policy: Memory
    hidden: Hidden
    memo: Memo
    allowance: Allowance
    stack: Stack
    stock: Stock  # of the deals inside a play-out
    choices: NDArray[np.int64]  # what is searched there
    scores: NDArray[np.float64]  # and its scores


class Plan(NamedTuple):
    """How moves are played out and compared.

    Attributes
    ----------
    bouts
        Bouts that are played beyond the present one.
    positions
        How many positions a proof may look at.
    trust
        What a logarithm of the policy's probability is worth, in points, beside what play-outs bring.
    patience
        How many standard errors a move may lie behind the best before it is dropped.
    searched
        How many choices of a play-out are searched rather than drawn.
    """

    bouts: int
    positions: int
    trust: float
    patience: float
    searched: int


@inlined
def _settled(
    model: int, position: Position, bouts: int, positions: int, stock: Stock, work: Workspace
) -> float:
    """Return the score of seat 0 at the start of a bout, if it ends a play-out: proved, or estimated with no bouts left. Otherwise -1.

    What a proof says of best play is not what a player of cheapest cards makes of it.
    """
    value = UNKNOWN
    if model != CHEAP:
        value = proved_bout(position, positions, stock, work.memo, work.allowance, work.stack)
    if value != UNKNOWN:
        score = (value + 1) / 2
    elif bouts > 0:
        return -1.0
    elif model == CHEAP:
        score = expected_score_against_cheap(position, stock, work.hidden)
    else:
        score = expected_score(position, stock, work.hidden)
    return score if position.attacker == 0 else 1.0 - score


@compiled
def _played_on(
    model: int,
    position: Position,
    known: KnownCards,
    bouts: int,
    positions: int,
    stock: Stock,
    work: Workspace,
    stream: Stream,
) -> float:
    """Return the score of seat 0, 0 to 1, when both players go on as the policy does, or seat 1 plays its cheapest cards."""
    trump = int(stock[_DECK_SIZE - 1])
    phase = phase_of(position)
    while phase != OVER:
        if phase == ATTACK and position.table == 0:
            score = _settled(model, position, bouts, positions, stock, work)
            if score >= 0:
                return score
            bouts -= 1
        if model == CHEAP and seat_in_turn(position, phase) == 1:
            move = dummy_answer(position, phase)
        else:
            move = drawn_move(model, position, phase, known, trump, work.policy, stream)
        before = position
        position = answered(position, phase, move, stock)
        known = known_after(known, before, move, position)
        phase = phase_of(position)
    return (score_of_first(position) + 1) / 2


@inlined
def redealt(
    position: Position, phase: int, known: KnownCards, trump: int, stock: Stock, stream: Stream
) -> Position:
    """Deal the cards anew that the player in turn cannot see."""
    is_defence = phase == DEFEND
    own = position.defend_hand if is_defence else position.attack_hand
    other = position.attack_hand if is_defence else position.defend_hand
    stock[_DECK_SIZE - 1] = trump
    if position.drawn >= _DECK_SIZE - 1:
        return position
    hand = taken_by(known, 1 - seat_in_turn(position, phase)) & other
    unseen = _ALL_CARDS & ~(own | position.table | known.discarded | hand | 1 << trump)
    wanted, left = count(other) - count(hand), count(unseen)
    rest = 0
    while unseen:
        card = lowest(unseen)
        unseen ^= card
        if splitmix_below(stream, left) < wanted:
            hand |= card
            wanted -= 1
        else:
            rest |= card
        left -= 1
    deal_stock(rest, position.drawn, stock, stream)
    return Position(
        hand if is_defence else own,
        own if is_defence else hand,
        position.table,
        position.open_card,
        position.is_taking,
        position.room,
        position.drawn,
        position.attacker,
        position.trumps,
        position.cap,
    )


@compiled
def _searched_choice(
    position: Position,
    phase: int,
    known: KnownCards,
    trump: int,
    positions: int,
    work: Workspace,
    stream: Stream,
) -> int:
    """Return the likely choice that does best in a few deals, as far as the player in turn can know."""
    is_first = seat_in_turn(position, phase) == 0
    choices, scores = work.choices, work.scores
    size = likeliest_choices(FREE, position, phase, known, trump, _INNER_REACH, work.policy, choices)
    if size == 1:
        return int(choices[0])
    for number in range(size):
        scores[number] = 0.0
    for _ in range(_INNER_DEALS):
        dealt = redealt(position, phase, known, trump, work.stock, stream)
        for number in range(size):
            move = int(choices[number])
            after = answered(dealt, phase, move, work.stock)
            known_then = known_after(known, dealt, move, after)
            score = _played_on(FREE, after, known_then, 0, positions, work.stock, work, stream)
            scores[number] += score if is_first else 1.0 - score
    best = 0
    for number in range(1, size):
        if scores[number] > scores[best]:
            best = number
    return int(choices[best])


@compiled
def _played_out(
    position: Position, known: KnownCards, plan: Plan, stock: Stock, work: Workspace, stream: Stream
) -> float:
    """Return the score of seat 0, 0 to 1, when some choices are searched and both players then go on as the policy does."""
    bouts, left, trump = plan.bouts, plan.searched, int(stock[_DECK_SIZE - 1])
    phase = phase_of(position)
    while left > 0 and phase != OVER:
        if phase == ATTACK and position.table == 0:
            score = _settled(FREE, position, bouts, plan.positions, stock, work)
            if score >= 0:
                return score
            bouts -= 1
        if phase == THROW_IN:
            move = drawn_move(FREE, position, phase, known, trump, work.policy, stream)
        else:
            move = _searched_choice(position, phase, known, trump, plan.positions, work, stream)
            left -= 1
        before = position
        position = answered(position, phase, move, stock)
        known = known_after(known, before, move, position)
        phase = phase_of(position)
    return _played_on(FREE, position, known, bouts, plan.positions, stock, work, stream)


@compiled
def begin_play_outs(
    question: Question, enemy: int, model: int, stock: Stock, tried: Tried, reach: float, policy: Memory
) -> int:
    """List the moves with the probabilities of the policy that fits the other player; return how many there are.

    The hand is any that the other player may hold. Moves are kept unless the logarithm of their probability lies farther than ``reach``
    behind that of the likeliest.
    """
    position = with_enemy(question, enemy)
    size = move_chances(
        model,
        position,
        phase_of(position),
        question.known,
        int(stock[_DECK_SIZE - 1]),
        policy,
        tried.moves,
        tried.chances,
    )
    likeliest = -1e30
    for move in range(size):
        likeliest = max(likeliest, tried.chances[move])
    for move in range(size):
        tried.visits[move], tried.before[move] = 0, 0.0
        tried.points[move], tried.leads[move], tried.squares[move] = 0.0, 0.0, 0.0
        tried.is_kept[move] = 1 if tried.chances[move] > likeliest - reach else 0
    return size


@inlined
def _merit(tried: Tried, move: int, plan: Plan) -> float:
    """Return what a move gains over the mean of its deals by all plans so far, and what the policy adds."""
    found = tried.before[move] + tried.leads[move] / tried.visits[move]
    return float(found + plan.trust * tried.chances[move])


@compiled
def _drop_worse(tried: Tried, size: int, plan: Plan) -> int:
    """Drop the moves that lie too far behind the best; return how many are left."""
    best, best_merit = -1, -1e30
    for move in range(size):
        if tried.is_kept[move]:
            merit = _merit(tried, move, plan)
            if merit > best_merit:
                best, best_merit = move, merit
    left = 0
    for move in range(size):
        if tried.is_kept[move]:
            visits = tried.visits[move]
            variance = (tried.squares[move] + tried.squares[best]) / visits / visits
            if best_merit - _merit(tried, move, plan) > plan.patience * np.sqrt(variance):
                tried.is_kept[move] = 0
            else:
                left += 1
    return left


@compiled
def play_out(
    question: Question,
    enemies: NDArray[np.int64],
    models: NDArray[np.int64],
    stock: Stock,
    tried: Tried,
    size: int,
    plan: Plan,
    rounds: int,
    work: Workspace,
    stream: Stream,
) -> int:
    """Play every move out, deal after deal, about so many times in all; return how many moves are still in question."""
    known, kept = question.known, 0
    for move in range(size):
        kept += tried.is_kept[move]
    deals = 0
    while rounds > 0 and kept > 1:
        pick = splitmix_below(stream, len(enemies))
        enemy, model = int(enemies[pick]), int(models[pick])
        deal_stock(question.unseen & ~enemy, question.position.drawn, stock, stream)
        position = with_enemy(question, enemy)
        phase = phase_of(position)
        mean = 0.0
        for move in range(size):
            if tried.is_kept[move]:
                cards = int(tried.moves[move])
                after = answered(position, phase, cards, stock)
                known_then = known_after(known, position, cards, after)
                if model == CHEAP:
                    score = _played_on(
                        CHEAP, after, known_then, plan.bouts, plan.positions, stock, work, stream
                    )
                else:
                    score = _played_out(after, known_then, plan, stock, work, stream)
                tried.scores[move] = score
                mean += score / kept
        for move in range(size):
            if tried.is_kept[move]:
                lead = tried.scores[move] - mean
                tried.visits[move] += 1
                tried.points[move] += tried.scores[move]
                tried.leads[move] += lead
                tried.squares[move] += lead * lead
        rounds -= kept
        deals += 1
        if deals % _DEALS_BETWEEN == 0:
            kept = _drop_worse(tried, size, plan)
    return kept
