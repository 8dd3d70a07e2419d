"""Search over hidden cards, as compiled code: one tree over many deals of the cards that the searcher cannot see.

Information-set tree search (P. Cowling, E. Powley and D. Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions
on Computational Intelligence and AI in Games 4(2), 2012): each round takes one of the deals that fit what has been seen, walks down
the tree along moves that are legal in it, adds a node, plays the bout to its end and takes what the position is worth from there: by
proof where the stock is used up and few cards are left, by the network otherwise
(:mod:`~croupier.durak.players.value_kernel`). A node is what has been played since the root, and which cards the searcher has
drawn, so its choices rest on nothing that it could not know and on all that it would. The searcher sits in seat 0.

The other player knows its hand, which differs from deal to deal, but the scores of its moves in the tree are means over all deals. So
some of its moves are drawn from the play model, which sees that hand (:mod:`~croupier.durak.players.play_model_kernel`). The rest
are chosen by their scores: they find out what the model overlooks.

A deal in which the other player is taken to play its cheapest card always is played out to the end instead: the network has
learnt from better players.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest, place
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    Position,
    Stock,
    answered,
    phase_of,
    score_of_first,
    seat_in_turn,
)
from croupier.durak.players.endgame_kernel import UNKNOWN, Allowance, Memo, Stack, bout_value
from croupier.durak.players.hidden_cards_kernel import CHEAP, FREE
from croupier.durak.players.known_cards_kernel import KnownCards, known_after
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.durak.players.play_model_kernel import (
    BOTTOM,
    COUNT,
    DISCARDED,
    KIND,
    KNOWN,
    OPEN_CARD,
    STOCK,
    TABLE,
    TRUMP_SUIT,
    Sums,
    drawn_move,
    write_public_part,
)
from croupier.durak.players.play_model_kernel import HIDDEN as MODEL_HIDDEN
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.durak.players.skilled_policy_kernel import skilled_answer
from croupier.durak.players.value_kernel import Hidden, expected_score
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, fraction, splitmix_below, splitmix_word

#: The shape of a tree's path: no more plies than this are kept in the tree.
PATH_SHAPE = (2, 64)


#: Marks a node that stands for the searcher's hand after a draw, not for a move.
_DRAW = 1 << 40

_DECK_SIZE = 36

#: A drawn move of the other player is as likely as its probability by the play model to this power.
_SHARPNESS = 2.0

#: With more cards than this in both hands, a proof takes too long for a round of the search.
_MOST_CARDS = 12


class Tree(NamedTuple):
    """Nodes as columns; node 0 is the root, and no node has the number 0 as a child."""

    moves: NDArray[np.int64]  # the cards that lead to the node
    children: NDArray[np.int32]  # the first of its children
    siblings: NDArray[np.int32]  # the next child of the same parent
    visits: NDArray[np.int32]
    chances: NDArray[np.int32]  # how often the move could have been chosen
    points: NDArray[np.float64]  # sum of the results, from the side that moved
    size: NDArray[np.int64]  # how many nodes are in use
    path: NDArray[np.int64]  # the nodes of the round under way, and who moved to each: 2 rows
    hidden: Hidden  # memory of the network
    memo: Memo  # what has been proved of end games
    allowance: Allowance  # memory of proofs
    stack: Stack  # the same
    row: NDArray[np.int64]  # what the other player sees, in the columns of the play model
    model: Sums  # memory of the play model: what it makes of that row, then its own


class Question(NamedTuple):
    """A root: what the searcher sees, with the other hand left empty."""

    position: Position
    unseen: int  # cards that are in the other hand or in the stock
    known: KnownCards


@inlined
def with_enemy(question: Question, enemy: int) -> Position:
    """Return the position of one deal."""
    seen = question.position
    return Position(
        seen.attack_hand if seen.attacker == 0 else enemy,
        enemy if seen.attacker == 0 else seen.defend_hand,
        seen.table,
        seen.open_card,
        seen.is_taking,
        seen.room,
        seen.drawn,
        seen.attacker,
        seen.trumps,
        seen.cap,
    )


@inlined
def deal_stock(rest: int, drawn: int, stock: Stock, stream: Stream) -> None:
    """Put the hidden cards of the stock into a random order above the open trump."""
    last = drawn
    while rest:
        card = lowest(rest)
        rest ^= card
        pick = drawn + splitmix_below(stream, last - drawn + 1)
        stock[last] = stock[pick]
        stock[pick] = place(card)
        last += 1


@inlined
def _child(tree: Tree, node: int, move: int) -> int:
    """Return the child that a move leads to, created if it is missing; 0 if the tree is full."""
    child = int(tree.children[node])
    while child:
        if tree.moves[child] == move:
            return child
        child = int(tree.siblings[child])
    child = int(tree.size[0])
    if child == len(tree.moves):
        return 0
    tree.size[0] = child + 1
    tree.moves[child] = move
    tree.children[child] = 0
    tree.siblings[child] = tree.children[node]
    tree.visits[child] = 0
    tree.chances[child] = 0
    tree.points[child] = 0.0
    tree.children[node] = child
    return child


@compiled
def _choice(tree: Tree, node: int, position: Position, phase: int, exploration: float) -> int:
    """Return the child to visit: an untried one first, then the one with the highest upper confidence bound."""
    cards = playable(position, phase)
    move = first_move(position, phase, cards)
    best, best_bound = 0, -1.0
    while move != NO_MOVE:
        child = _child(tree, node, move)
        if child == 0:
            return 0
        tree.chances[child] += 1
        visits = tree.visits[child]
        if visits == 0:
            bound = 1e9
        else:
            bound = tree.points[child] / visits + exploration * np.sqrt(np.log(tree.chances[child]) / visits)
        if bound > best_bound:
            best, best_bound = child, bound
        move = next_move(position, phase, cards, move)
    return best


@inlined
def proved_bout(
    position: Position, positions: int, stock: Stock, memo: Memo, allowance: Allowance, stack: Stack
) -> int:
    """Return the value of a new bout for its attacker, if it is near the end and so many positions suffice; else :data:`UNKNOWN`."""
    if position.drawn == _DECK_SIZE and count(position.attack_hand | position.defend_hand) <= _MOST_CARDS:
        return bout_value(position, positions, stock, memo, allowance, stack)
    return UNKNOWN


@inlined
def _bout_score(position: Position, positions: int, stock: Stock, tree: Tree) -> float:
    """Return the expected score of the attacker of a new bout, 0 to 1: proved within so many positions, or estimated."""
    value = proved_bout(position, positions, stock, tree.memo, tree.allowance, tree.stack)
    return expected_score(position, stock, tree.hidden) if value == UNKNOWN else (value + 1) / 2


@compiled
def played_against_cheap(position: Position, stock: Stock) -> float:
    """Return the score of seat 0, 0 to 1, when the other player always plays its cheapest card."""
    phase = phase_of(position)
    while phase != OVER:
        is_first = seat_in_turn(position, phase) == 0
        move = skilled_answer(position, phase) if is_first else dummy_answer(position, phase)
        position = answered(position, phase, move, stock)
        phase = phase_of(position)
    return (score_of_first(position) + 1) / 2


@inlined
def _leaf_score(position: Position, model: int, positions: int, stock: Stock, tree: Tree) -> float:
    """Return the expected score of seat 0, 0 to 1, once the bout is played to its end; of the game, against a cheap player."""
    if model != FREE:
        return played_against_cheap(position, stock)
    phase = phase_of(position)
    while phase != OVER:
        if position.table == 0:
            score = _bout_score(position, positions, stock, tree)
            return score if position.attacker == 0 else 1.0 - score
        position = answered(position, phase, skilled_answer(position, phase), stock)
        phase = phase_of(position)
    return (score_of_first(position) + 1) / 2


@inlined
def _own_hand(position: Position) -> int:
    return position.attack_hand if position.attacker == 0 else position.defend_hand


@inlined
def write_row(
    position: Position, phase: int, known: KnownCards, stock: Stock, row: NDArray[np.int64]
) -> None:
    """Fill in what the other player sees, but for its hand, in the columns of the play model."""
    own = _own_hand(position)
    row[TABLE], row[OPEN_CARD] = position.table, position.open_card
    row[DISCARDED], row[KNOWN] = known.discarded, known.first & own
    row[STOCK], row[COUNT] = _DECK_SIZE - position.drawn, count(own)
    row[KIND] = 0 if phase == ATTACK and position.table == 0 else 1 + phase
    row[BOTTOM], row[TRUMP_SUIT] = 1 << int(stock[_DECK_SIZE - 1]), place(position.trumps) & 3


@inlined
def _modelled_move(
    position: Position, phase: int, known: KnownCards, stock: Stock, tree: Tree, stream: Stream
) -> int:
    """Draw a move of the other player from the play model, by its hand and by what it sees."""
    write_row(position, phase, known, stock, tree.row)
    sums, work = tree.model[:MODEL_HIDDEN], tree.model[MODEL_HIDDEN:]
    write_public_part(tree.row, sums)
    hand = position.defend_hand if phase == DEFEND else position.attack_hand
    return drawn_move(position, phase, hand, _SHARPNESS, sums, work, stream)


@compiled
def search(
    question: Question,
    enemies: NDArray[np.int64],
    models: NDArray[np.int64],
    stock: Stock,
    tree: Tree,
    rounds: int,
    exploration: float,
    deep_exploration: float,
    modelled: float,
    positions: int,
    stream: Stream,
) -> None:
    """Search for some rounds, each in one of the given deals, and add their scores to the tree.

    ``exploration`` is how strongly moves that look worse are tried at the root, ``deep_exploration`` the same further down,
    ``modelled`` the share of the other player's moves that are drawn from the play model, and ``positions`` how many positions a
    proof at the end of a round may look at.
    """
    path, movers = tree.path[0], tree.path[1]
    for _ in range(rounds):
        pick = splitmix_below(stream, len(enemies))
        enemy, model = int(enemies[pick]), int(models[pick])
        deal_stock(question.unseen & ~enemy, question.position.drawn, stock, stream)
        position = with_enemy(question, enemy)
        phase = phase_of(position)
        known, node, depth = question.known, 0, 0
        while phase != OVER and depth < len(path):
            seat = seat_in_turn(position, phase)
            if seat == 1 and model == CHEAP:
                child = _child(tree, node, dummy_answer(position, phase))
            elif seat == 1 and fraction(splitmix_word(stream)) < modelled:
                child = _child(tree, node, _modelled_move(position, phase, known, stock, tree, stream))
                tree.chances[child] += 1
            else:
                child = _choice(tree, node, position, phase, deep_exploration if depth else exploration)
            if child == 0:
                break
            is_new = tree.visits[child] == 0
            path[depth], movers[depth] = child, seat
            depth += 1
            before = position
            position = answered(position, phase, int(tree.moves[child]), stock)
            known = known_after(known, before, int(tree.moves[child]), position)
            phase = phase_of(position)
            node = child
            if is_new and not (seat == 1 and model == CHEAP):
                break
            if position.drawn != before.drawn and depth < len(path):
                node = _child(tree, node, _own_hand(position) | _DRAW)
                if node == 0:
                    break
                is_new = tree.visits[node] == 0
                path[depth], movers[depth] = node, seat
                depth += 1
                if is_new:
                    break
        points = _leaf_score(position, model, positions, stock, tree)
        for step in range(depth):
            tree.visits[path[step]] += 1
            tree.points[path[step]] += points if movers[step] == 0 else 1 - points
