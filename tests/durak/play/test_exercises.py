"""Positions that are played again: set up, taken from mistakes, and seen from either seat."""

import pytest

from croupier.durak.engine.actions import answer, from_json, legal_replies, to_json
from croupier.durak.engine.dealing import begun, set_up, start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK, read_card, read_cards
from croupier.durak.engine.record import RecordError, build_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.play.exercises import before_move, mistakes_to_learn, seats_swapped
from croupier.durak.play.facts import JudgedMove, TableSetting
from croupier.durak.play.opponents import NamedPrograms
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import MoveClass
from croupier.errors import InputError
from croupier.web.models.durak_position import PositionDraft

RULES = DurakRules()
DUMMY = TableSetting("durak-dummy", RULES)


def endgame() -> GameState:
    """Return a position in which the ace wins and the six draws."""
    return set_up(RULES, (read_cards("6C AH"), read_cards("7C 6D")), (), read_card("8H"), leader=0)


def played(state: GameState, moves: int) -> GameState:
    for _ in range(moves):
        state = answer(state, legal_replies(state)[0])
    return state


@pytest.mark.parametrize("begin", [endgame(), start(RULES, PACK, 1)])
def test_a_game_is_saved_swapped_and_taken_back_to_any_move(begin: GameState) -> None:
    game = played(begin, 3)
    assert begun(game) == begin
    assert from_json(to_json(game)) == game
    assert before_move(game, 2) == played(begin, 2)
    other = seats_swapped(game)
    assert (other.hands, other.discarded) == (game.hands[::-1], game.discarded)
    assert observe(other, 1) == observe(game, 0)
    assert seats_swapped(other) == game


def test_a_position_with_a_stock_draws_from_it() -> None:
    stock = PACK[12:22]
    game = set_up(RULES, (PACK[:6], PACK[6:12]), stock, stock[-1], leader=0)
    assert (game.deck_count, game.trump, len(game.discarded)) == (10, stock[-1], 14)
    finished = game
    while not finished.is_over:
        finished = answer(finished, legal_replies(finished)[-1])
    cards = [
        *finished.discarded,
        *finished.hands[0],
        *finished.hands[1],
        *finished.table,
        *finished.thrown_in,
    ]
    assert sorted(cards) == list(PACK)
    with pytest.raises(RecordError, match="set up"):
        build_record(finished, "a", "b", "", "", result=Result.DRAW)


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (PositionDraft(own=(16,)), "Give both players a card"),
        (PositionDraft(own=(16,), other=(17,), stock=2), "six cards or more"),
        (PositionDraft(own=PACK[:6], other=PACK[6:12], stock=25), "0 to 24"),
        (PositionDraft(own=PACK[:6], other=PACK[30:], stock=3), "under the stock"),
        (PositionDraft(own=PACK[:15], other=PACK[15:30], stock=7), "Only 6 cards"),
    ],
)
def test_a_draft_that_is_no_position_is_refused(draft: PositionDraft, reason: str) -> None:
    with pytest.raises(DurakRefusal, match=reason):
        draft.position(seed=1)


def test_a_draft_becomes_a_position() -> None:
    draft = PositionDraft(own=PACK[:6], other=PACK[6:13], stock=9, leader=1)
    game = draft.position(seed=4)
    assert (game.hands, game.deck_count, game.trump, game.to_act) == ((PACK[:6], PACK[6:13]), 9, PACK[-1], 1)
    assert draft.position(seed=4) == game != draft.position(seed=5)


def test_mistakes_are_played_again_the_costliest_first() -> None:
    game = played(start(RULES, PACK, 0), 4)
    value = MoveValue((), 0.5, 100)
    judged = [
        JudgedMove(0, value, value, 0.1, MoveClass.INACCURACY),
        JudgedMove(1, value, value, 0.4, MoveClass.BLUNDER, seat=1),
        JudgedMove(2, value, value, 0.3, MoveClass.BLUNDER),
        JudgedMove(3, value, value, 0.0, MoveClass.BEST, seat=1),
    ]
    assert mistakes_to_learn(game, judged, 0) == (before_move(game, 2), before_move(game, 0))
    [theirs] = mistakes_to_learn(game, judged, 1)
    assert (theirs.to_act, len(theirs.history)) == (0, 1)


def test_the_coach_is_silent_before_the_move_of_an_exercise_and_judges_it_afterwards() -> None:
    table = DurakTable.exercises(
        DUMMY, [endgame(), endgame()], NamedPrograms(), EngineSeats(), 1, hides_advice=True
    )
    view = table.view()
    assert (view.advice, view.is_exercise, view.exercises_left) == ((), True, 1)
    assert all(card.worth is None for card in view.hand)
    table.play(read_cards("6C"))
    move = table.view().last_move
    assert move is not None
    assert (move.move_class, move.loss, move.error) == (MoveClass.BLUNDER, 0.5, 0.0)
    assert DurakTable.from_state(table.to_state(), NamedPrograms(), EngineSeats()).view() == table.view()
    table.deal_next()
    assert (table.game, table.view().exercises_left) == (endgame(), 1)
    table.next_exercise()
    assert table.view().exercises_left == 0
    table.play(read_cards("AH"))
    while table.view().ending is None:
        table.let_opponent_move() if table.view().is_opponents else table.play(read_cards("6C"))
    assert table.view().score == (0, 0, 0)
    assert table.played is None


def test_what_cannot_be_played_on_is_refused() -> None:
    with pytest.raises(DurakRefusal, match="no position"):
        DurakTable.exercises(DUMMY, [], NamedPrograms(), EngineSeats(), 1)
    table = DurakTable.opened(DUMMY, NamedPrograms(), EngineSeats(), 1)
    before = table.to_state()
    for refused in (table.undo, table.next_exercise):
        with pytest.raises(DurakRefusal):
            refused()
    assert table.to_state() == before
    with pytest.raises(InputError, match="last card of the stock"):
        set_up(RULES, (PACK[:6], PACK[6:12]), PACK[12:14], PACK[-1], leader=0)
