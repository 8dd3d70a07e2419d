"""What is said at a Banluck table: labels and keys of the choices, questions, outcomes, remarks, and the story of a hand."""

from collections.abc import Iterator

from croupier.banluck.engine import (
    BANLUCK,
    Action,
    ActionKind,
    GameState,
    Phase,
    forfeits,
    legal_actions,
    observe,
    steps,
)
from croupier.banluck.engine.observation import is_seen
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.engine.text import ACTION_VERBS
from croupier.banluck.play.coach import Judgement
from croupier.banluck.play.session import HUMAN_SEAT, SMALLEST_BET, Seating, Session, viewer_of
from croupier.banluck.play.strategies import ACTION_WORDS
from croupier.banluck.play.table_solutions import Standing
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.numerics.numbers import signed

_LABELS = {
    ActionKind.SURRENDER: "Surrender",
    ActionKind.KEEP: "Keep the hand",
    ActionKind.HIT: "Hit",
    ActionKind.STAND: "Stand",
    ActionKind.REVEAL: "Open",
    ActionKind.DRAW: "Draw",
    ActionKind.DEALER_STAND: "Stand",
}

#: Stand and surrender are never offered together, but somebody used to one key must not hit the other by mistake.
_KEYS = {
    ActionKind.SURRENDER: "u",
    ActionKind.KEEP: "k",
    ActionKind.HIT: "h",
    ActionKind.STAND: "s",
    ActionKind.REVEAL: "o",
    ActionKind.DRAW: "d",
    ActionKind.DEALER_STAND: "s",
}


def choice_name(action: Action) -> str:
    """Return the stable name of an action among the choices.

    >>> choice_name(Action(ActionKind.REVEAL, 1)), choice_name(Action(ActionKind.DEALER_STAND))
    ('open-2', 'stand')
    """
    if action.kind is ActionKind.REVEAL and action.seat is not None:
        return f"open-{action.seat + 1}"
    return ACTION_WORDS[action.kind]


def choice_label(action: Action, players: int) -> tuple[str, str]:
    """Return what the button of an action says, and its key.

    >>> choice_label(Action(ActionKind.REVEAL, 1), players=3), choice_label(Action(ActionKind.HIT, 0), players=1)
    (('Open player 2', '2'), ('Hit', 'h'))
    """
    if action.kind is ActionKind.REVEAL and action.seat is not None and players > 1:
        return f"Open player {action.seat + 1}", str(action.seat + 1)
    return _LABELS[action.kind], _KEYS[action.kind]


def table_name(seating: Seating) -> str:
    """Say what is played, and against whom.

    >>> table_name(Seating())
    'Rules reference, against the equilibrium dealer'
    """
    players = "one player" if seating.players == 1 else f"{seating.players} players"
    against = {
        (Role.PLAYER, OpponentName.SIMPLE): "the classic dealer",
        (Role.PLAYER, OpponentName.EQUILIBRIUM): "the equilibrium dealer",
        (Role.DEALER, OpponentName.SIMPLE): f"{players} who stand on the minimum",
        (Role.DEALER, OpponentName.EQUILIBRIUM): f"{players} of the equilibrium",
    }[seating.role, seating.opponent]
    return f"Rules {BANLUCK.describe(seating.rules)}, against {against}"


def tone_of(won: float) -> str:
    """Say whether a result is a ``win``, a ``loss`` or a ``push``."""
    return "win" if won > 0 else "loss" if won < 0 else "push"


def gain(won: float) -> str:
    """Say what a person has won or lost.

    >>> gain(5), gain(-2.5), gain(0)
    ('You win 5', 'You lose 2.5', 'You neither win nor lose')
    """
    if won == 0:
        return "You neither win nor lose"
    return f"You {'win' if won > 0 else 'lose'} {abs(won):g}"


def prompt(session: Session) -> str:
    """Ask the person for what comes next."""
    if session.is_playing and session.hand is not None:
        return _question(session.hand.state, session.seating)
    if session.bankroll < SMALLEST_BET:
        return "Your bankroll is gone."
    if session.seating.role is Role.PLAYER:
        return "Place your bet, then deal."
    return "Say what each player bets, then deal."


def _question(state: GameState, seating: Seating) -> str:
    actions = observe(state, viewer_of(seating.role)).actions
    if not actions:
        return "The others are to act."
    if seating.role is Role.PLAYER:
        value = state.hand_value(HUMAN_SEAT)
        minimum = state.rules.player_minimum
        warning = f" Standing below {minimum} loses the bet." if forfeits(value, state.rules) else ""
        return f"You hold {value}: hit or stand?{warning}"
    if state.phase is Phase.SURRENDER:
        return "You hold a hard 15: void the hand for everybody, or keep it?"
    closed = len(state.closed_seats)
    hands = f"{closed} closed {'hand' if closed == 1 else 'hands'}"
    against = "the player" if seating.players == 1 else hands
    ways = [_LABELS[kind].lower() for kind in dict.fromkeys(action.kind for action in actions)]
    asked = " or ".join(filter(None, (", ".join(ways[:-1]), ways[-1])))
    return f"You hold {state.dealer_value} against {against}: {asked}?"


def remark(judgement: Judgement) -> tuple[str, str]:
    """Say what the coach thinks of a choice, and whether it was ``right``, a ``mistake``, or cannot be judged (``unknown``).

    >>> remark(Judgement("hit", "stand", -0.48, -0.45))
    ('Hit was worth −0.480, stand −0.450: it cost 0.030 units.', 'mistake')
    """
    if not judgement.is_known:
        return "Best play of the other side never gets here: nothing to compare.", "unknown"
    compared = (
        f"{judgement.chosen.capitalize()} was worth {signed(judgement.worth, 3)}, "
        f"{judgement.rejected} {signed(judgement.rejected_worth, 3)}"
    )
    if judgement.is_close:
        return f"{compared} (± {judgement.error:.3f}): too close to tell.", "right"
    if judgement.is_right:
        return f"{compared}: right.", "right"
    return f"{compared}: it cost {judgement.cost:.3f} units.", "mistake"


def coach_note(session: Session) -> str:
    """Say what has to be known of the coach's figures."""
    if session.seating.players == 1:
        return "Expected units per unit bet, against best play."
    sampled = "Expected units per unit bet, from sampled deals that agree with what you have seen."
    if session.solved_for > 1:
        return f"{sampled} Everybody plays on by the solution for {session.solved_for} players."
    return f"{sampled} Everybody plays on as in a game of one player, which is no equilibrium of several."


def strategies_note(session: Session, standing: Standing) -> str:
    """Say by which strategies the others and the coach go at a table of several players.

    >>> session = Session(Seating(players=2), seed=1, bankroll=100.0)
    >>> strategies_note(session, Standing.SOLVING)
    'The others go by the solution for one player while 2 players are being solved; play on.'
    """
    seating, players = session.seating, session.seating.players
    is_simple = seating.opponent is OpponentName.SIMPLE
    if players == 1 or (is_simple and not session.coach):
        return ""
    who = (
        "The coach goes" if is_simple else "The others and the coach go" if session.coach else "The others go"
    )
    if session.solved_for > 1:
        return f"{who} by the solution for {players} players."
    alone = f"{who} by the solution for one player"
    match standing:
        case Standing.SOLVED if session.is_playing:
            return f"{alone} in this hand. {players} players are solved: from the next hand on that counts."
        case Standing.SOLVED:
            return f"{who} by the solution for {players} players from the next hand on."
        case Standing.SOLVING:
            return f"{alone} while {players} players are being solved; play on."
        case Standing.FAILED:
            return f"{alone}: {players} players could not be solved."
        case Standing.NOT_STARTED:
            return f"{alone}: {players} players have not been solved yet."


def story(state: GameState, role: Role) -> Iterator[str]:
    """Tell what the person has seen happen, a sentence an action."""
    for before, action, after in steps(state):
        if is_seen(action, viewer_of(role)):
            yield _sentence(action, before, after, role)


def _sentence(action: Action, before: GameState, after: GameState, role: Role) -> str:
    if action.kind is ActionKind.DEAL:
        return "The cards are dealt."
    if action.kind is ActionKind.SHOW:
        return "Ban hands are shown."
    who, is_me = _who(action, role)
    verb = ACTION_VERBS[action.kind]
    sentence = f"{who} {verb if is_me else f'{verb}s'}"
    match action.kind:
        case ActionKind.KEEP:
            sentence += " the hand"
        case ActionKind.REVEAL:
            is_my_hand = role is Role.PLAYER and action.seat == HUMAN_SEAT
            sentence += " you" if is_my_hand else f" player {(action.seat or 0) + 1}"
        case ActionKind.HIT if action.seat is not None and len(after.seats[action.seat].cards) == MAX_CARDS:
            sentence += ", the fifth card, announced"
        case _:
            pass
    # It is not said of others: it would tell that a closed hand is below the minimum.
    must = is_me and action.kind in (ActionKind.HIT, ActionKind.DRAW) and len(legal_actions(before)) == 1
    return f"{sentence}{' (must)' if must else ''}."


def _who(action: Action, role: Role) -> tuple[str, bool]:
    """Name who acts, and tell whether it is the person."""
    if action.kind in (ActionKind.HIT, ActionKind.STAND):
        is_me = role is Role.PLAYER and action.seat == HUMAN_SEAT
        return ("You" if is_me else f"Player {(action.seat or 0) + 1}"), is_me
    is_me = role is Role.DEALER
    return ("You" if is_me else "The dealer"), is_me
