"""What is said at a Banluck table: labels and keys of the choices, questions, outcomes, remarks, and the story of a hand."""

from collections.abc import Iterator

from croupier.banluck.analysis.phrases import way_phrase
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
from croupier.texts import either, say

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
        return say("banluck.do.open_player", number=action.seat + 1), str(action.seat + 1)
    return say(f"banluck.do.{ACTION_WORDS[action.kind]}"), _KEYS[action.kind]


def table_name(seating: Seating) -> str:
    """Say what is played, and against whom.

    >>> table_name(Seating())
    'Rules reference, against a dealer who makes no mistakes'
    >>> table_name(Seating(role=Role.DEALER, players=2))
    'Rules reference, against 2 players who make no mistakes'
    """
    key = f"banluck.against.{seating.role.value}_{seating.opponent.value}"
    return say(key, rules=BANLUCK.describe(seating.rules), players=seating.players)


def tone_of(won: float) -> str:
    """Say whether a result is a ``win``, a ``loss`` or a ``push``."""
    return "win" if won > 0 else "loss" if won < 0 else "push"


def gain(won: float) -> str:
    """Say what a person has won or lost.

    >>> gain(5), gain(-2.5), gain(0)
    ('You win 5', 'You lose 2.5', 'You neither win nor lose')
    """
    return say(f"banluck.gain.{tone_of(won)}", won=abs(won))


def prompt(session: Session) -> str:
    """Ask the person for what comes next."""
    if session.is_playing and session.hand is not None:
        return _question(session.hand.state, session.seating)
    if session.bankroll < SMALLEST_BET:
        return say("banluck.prompt.broke")
    if session.seating.role is Role.PLAYER:
        return say("banluck.prompt.bet")
    return say("banluck.prompt.bets")


def _question(state: GameState, seating: Seating) -> str:
    actions = observe(state, viewer_of(seating.role)).actions
    if not actions:
        return say("banluck.prompt.others")
    if seating.role is Role.PLAYER:
        value = state.hand_value(HUMAN_SEAT)
        key = "hit_or_lose" if forfeits(value, state.rules) else "hit_or_stand"
        return say(f"banluck.prompt.{key}", value=str(value), minimum=state.rules.player_minimum)
    if state.phase is Phase.SURRENDER:
        return say("banluck.prompt.surrender")
    kinds = dict.fromkeys(action.kind for action in actions)
    ways = either([say(f"banluck.asked.{ACTION_WORDS[kind]}") for kind in kinds])
    key = "dealer" if seating.players == 1 else "dealer_of_several"
    closed = len(state.closed_seats)
    return say(f"banluck.prompt.{key}", value=str(state.dealer_value), closed=closed, ways=ways)


def remark(judgement: Judgement) -> tuple[str, str]:
    """Say what the coach thinks of a choice, and whether it was ``right``, a ``mistake``, or cannot be judged (``unknown``).

    >>> remark(Judgement("hit", "stand", -0.48, -0.45))
    ('Hit was worth −0.480, stand −0.450: it cost 0.030 units.', 'mistake')
    """
    if not judgement.is_known:
        return say("banluck.remark.unknown"), "unknown"
    key = "close" if judgement.is_close else "right" if judgement.is_right else "mistake"
    text = say(
        f"banluck.remark.{key}",
        chosen=way_phrase(judgement.chosen),
        worth=signed(judgement.worth, 3),
        rejected=way_phrase(judgement.rejected),
        other=signed(judgement.rejected_worth, 3),
        error=judgement.error,
        cost=judgement.cost,
    )
    return text, "mistake" if key == "mistake" else "right"


def coach_note(session: Session) -> str:
    """Say what has to be known of the coach's figures."""
    if session.seating.players == 1:
        return say("banluck.coach.exact")
    if session.solved_for > 1:
        return say("banluck.coach.sampled", players=session.solved_for)
    return say("banluck.coach.sampled_alone")


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
    who = "coach" if is_simple else "others_and_coach" if session.coach else "others"
    if session.solved_for > 1:
        key = "solved"
    elif standing is Standing.SOLVED:
        key = "solved_in_hand" if session.is_playing else "solved_next"
    else:
        key = standing.name.lower()
    return say(f"banluck.strategies.{key}", who=say(f"banluck.who.{who}"), players=players)


def story(state: GameState, role: Role) -> Iterator[str]:
    """Tell what the person has seen happen, a sentence an action."""
    for before, action, after in steps(state):
        if is_seen(action, viewer_of(role)):
            yield _sentence(action, before, after, role)


def _sentence(action: Action, before: GameState, after: GameState, role: Role) -> str:
    if action.kind is ActionKind.DEAL:
        return say("banluck.told.dealt")
    if action.kind is ActionKind.SHOW:
        return say("banluck.told.shown")
    is_players = action.kind in (ActionKind.HIT, ActionKind.STAND)
    is_me = action.seat == HUMAN_SEAT and role is Role.PLAYER if is_players else role is Role.DEALER
    who = "you" if is_me else "player" if is_players else "dealer"
    parts = [who, ACTION_VERBS[action.kind]]
    if action.kind is ActionKind.REVEAL and role is Role.PLAYER and action.seat == HUMAN_SEAT:
        parts.append("you")
    if action.kind is ActionKind.HIT and len(after.seats[action.seat or 0].cards) == MAX_CARDS:
        parts.append("fifth")
    # It is not said of others: it would tell that a closed hand is below the minimum.
    if is_me and action.kind in (ActionKind.HIT, ActionKind.DRAW) and len(legal_actions(before)) == 1:
        parts.append("must")
    return say(f"banluck.told.{'_'.join(parts)}", number=(action.seat or 0) + 1)
