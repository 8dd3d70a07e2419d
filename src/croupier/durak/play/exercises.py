"""Positions to play again: those before a player's mistakes, and those that somebody has set up."""

from collections.abc import Sequence

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun, set_up, start
from croupier.durak.engine.pack import HAND_SIZE
from croupier.durak.engine.state import GameState
from croupier.durak.play.facts import JudgedMove
from croupier.durak.players.review import FINE


def before_move(game: GameState, number: int) -> GameState:
    """Return a game as it was before one of its actions.

    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> from croupier.durak.engine.actions import answer
    >>> game = start(DurakRules(), PACK)
    >>> before_move(answer(game, PACK[:1]), 0) == game
    True
    """
    current = begun(game)
    for action in game.history[:number]:
        current = act(current, action)
    return current


def seats_swapped(game: GameState) -> GameState:
    """Return the same game with the players in each other's seats.

    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> game = start(DurakRules(), PACK)
    >>> swapped = seats_swapped(game)
    >>> swapped.to_act, swapped.hands == game.hands[::-1], seats_swapped(swapped) == game
    (1, True, True)
    """
    if game.setup is not None:
        stock = game.deck[game.setup.drawn :]
        swapped = set_up(game.rules, game.setup.hands[::-1], stock, game.trump, 1 - game.leader)
    else:
        first, second = game.deck[:HAND_SIZE], game.deck[HAND_SIZE : 2 * HAND_SIZE]
        swapped = start(game.rules, (*second, *first, *game.deck[2 * HAND_SIZE :]), 1 - game.leader)
    for action in game.history:
        swapped = act(swapped, action)
    return swapped


def mistakes_to_learn(game: GameState, judged: Sequence[JudgedMove], seat: int) -> tuple[GameState, ...]:
    """Return the positions before a player's mistakes, with that player in the first seat, the costliest first."""
    worse = [move for move in judged if move.seat == seat and move.move_class not in FINE]
    positions = [before_move(game, move.number) for move in sorted(worse, key=lambda move: -move.loss)]
    return tuple(position if seat == 0 else seats_swapped(position) for position in positions)
