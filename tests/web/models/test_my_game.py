"""The visitor's own statistics: every finished hand counts once, and what was won is cards, mistakes and luck."""

import asyncio
import csv
import io
import json
import random
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from croupier.banluck.play.session import Seating
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.solvers.opponent import OpponentName
from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.table import BlackjackTable
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import ActionKind
from croupier.durak.play.facts import JudgedMove, TableSetting
from croupier.durak.play.opponents import NamedPrograms
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import MoveClass
from croupier.played import PlayedHand, PricedDecision
from croupier.runs import played as played_store
from croupier.runs.database import open_database
from croupier.runs.played import Figures, PlayedStore
from croupier.runs.sessions import SessionStore
from croupier.web.models.my_game import MOST_POINTS, my_game, to_csv, to_json
from croupier.web.played import PlayedHands
from croupier.web.sessions import TableSessions

HIT = PricedDecision(chosen="hit", best="stand", cost=0.25)
STAND = PricedDecision(chosen="stand", best="stand", cost=0.0)


def hand(number: int, **changes: Any) -> PlayedHand:
    fields: dict[str, Any] = {"won": -1.0, "worth": -0.5, "decisions": (HIT,), "setting": "reference"}
    return PlayedHand(game="banluck", key=f"1/{number}", stake=5.0, **{**fields, **changes})


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sql.Engine]:
    with open_database(str(tmp_path / "lab.sqlite"), create=True) as engine:
        yield engine


def test_a_hand_counts_once_and_prices_may_come_later(database: sql.Engine) -> None:
    played = PlayedHands(PlayedStore(database))
    played.record("ann", hand(1, worth=None, decisions=()))
    before = my_game(played.store.hands("ann"))
    played.record("ann", hand(1))
    after = my_game(PlayedStore(database).hands("ann"))
    assert (before.total.hands, before.total.priced, before.total.luck) == (1, 0, 0.0)
    assert (after.total.hands, after.total.priced, after.total.cost, after.total.luck) == (1, 1, 0.25, -0.25)
    assert PlayedStore(database).hands("bob") == []
    played.store.forget("ann")
    assert played.store.hands("ann") == []


def test_old_hands_are_added_up_and_nothing_is_lost(
    database: sql.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(played_store, "KEPT_HANDS", 10)
    monkeypatch.setattr(played_store, "ADDED_UP", 5)
    played = PlayedHands(PlayedStore(database))
    for number in range(40):
        played.record("ann", hand(number, won=float(number)))
    stored = played.store.hands("ann")
    assert len([entry for entry in stored if entry.hand is not None]) < 15
    assert [entry.figures.hands for entry in stored if entry.hand is None] == [stored[0].figures.hands]
    mine = my_game(stored)
    assert (mine.total.hands, mine.total.won) == (40, sum(range(40)))
    assert mine.total.luck == pytest.approx(sum(range(40)) + 40 * 0.75)
    assert (mine.curve[-1].hands, mine.curve[-1].won) == (40, mine.total.won)


def test_mistakes_are_counted_by_kind_and_the_curve_leaves_luck_out(database: sql.Engine) -> None:
    played = PlayedHands(PlayedStore(database))
    for number in range(3):
        played.record("ann", hand(number))
    played.record("ann", hand(3, won=1.0, worth=0.5, decisions=(STAND,)))
    mine = my_game(played.store.hands("ann"))
    [kind] = mine.mistakes
    assert (kind.game, kind.chosen, kind.best, kind.count, kind.cost) == ("banluck", "hit", "stand", 3, 0.75)
    assert [point.won for point in mine.curve] == [0, -1, -2, -3, -2]
    assert [point.expected for point in mine.curve] == [0, -0.75, -1.5, -2.25, -1.75]
    assert my_game(played.store.hands("ann"), "durak").total == Figures()
    assert len(my_game([*played.store.hands("ann")] * 200).curve) == MOST_POINTS


def test_exports_hold_every_hand_and_no_formula(database: sql.Engine) -> None:
    played = PlayedHands(PlayedStore(database))
    played.record("ann", hand(1, setting="=1+1", story="K♣ 9♠ – 8♥"))
    stored = played.store.hands("ann")
    [row] = csv.DictReader(io.StringIO(to_csv(stored)))
    assert (row["setting"], row["won"], row["mistakes"], row["luck"]) == ("'=1+1", "-1.0", "0.25", "-0.25")
    [exported] = json.loads(to_json(stored))["hands"]
    assert exported["decisions"] == [HIT.model_dump()]
    assert (exported["setting"], exported["luck"]) == ("=1+1", -0.25)


def test_a_session_records_finished_hands_and_they_survive_a_restart(database: sql.Engine) -> None:
    def fresh() -> BanluckTable:
        return BanluckTable.opened(Seating(opponent=OpponentName.SIMPLE), seed=6, judged=False)

    async def play() -> None:
        played = PlayedHands(PlayedStore(database))
        for _ in range(2):  # the second time around after a restart, in the middle of the session
            sessions = TableSessions(SessionStore(database), played)
            session = await sessions.open("ann", "banluck", fresh, BanluckTable.from_state)
            for _ in range(3):
                await session.change(lambda table: table.act("deal"))
                while session.model.view.is_playing:
                    await session.change(lambda table: table.act("stand"))
                await session.change(lambda table: table.set_coach(False))

    asyncio.run(play())
    mine = my_game(PlayedStore(database).hands("ann"))
    assert mine.total.hands == 6
    assert [entry.hand.key for entry in mine.latest][::-1] == [f"6/{number}" for number in range(1, 7)]
    assert list(SessionStore(database).names("ann")) == ["banluck"]


def random_play(table: BanluckTable | BlackjackTable, hands: int) -> list[PlayedHand]:
    """Play badly, and return the hands."""
    rng = random.Random(1)
    played: list[PlayedHand] = []
    while len(played) < hands:
        table.act("rebuy" if "rebuy" in table.actions else "deal")
        while not {"deal", "rebuy"} & {*table.actions}:
            table.act(rng.choice(table.actions))
        if table.played is not None and (not played or table.played != played[-1]):
            played.append(table.played)
    return played


@pytest.mark.verify
@pytest.mark.parametrize(
    "table",
    [
        BlackjackTable.opened(BlackjackRules(decks=6), seed=5, is_priced=True),
        BlackjackTable.opened(BlackjackRules(decks=1, surrender="late"), seed=8),
        BanluckTable.opened(Seating(), seed=6),
    ],
)
def test_luck_averages_out_even_for_who_plays_at_random(table: BanluckTable | BlackjackTable) -> None:
    played = random_play(table, 400)
    luck = [entry.luck for entry in played]
    assert all(entry.is_priced for entry in played)
    assert sum(entry.cost for entry in played) > 50
    assert abs(statistics.fmean(luck)) < 4 * statistics.stdev(luck) / len(luck) ** 0.5


def test_a_round_of_blackjack_is_told_with_its_prices_after_a_reload() -> None:
    table = BlackjackTable.opened(BlackjackRules(decks=4), seed=3)
    table.bet(10)
    table.act("hit")  # 17 against 5
    told = table.played
    assert told is not None
    assert [(decision.chosen, decision.best) for decision in told.decisions] == [("hit", "stand")]
    assert told.cost > 0.3
    assert told.worth is not None
    assert told.won == pytest.approx(told.worth - told.cost + told.luck)
    assert BlackjackTable.from_state(table.to_state()).played == told


def test_a_durak_game_counts_in_points_unless_a_move_was_taken_back() -> None:
    tables = []
    for undoes in (False, True):
        table = DurakTable.opened(
            TableSetting("durak-dummy", DurakRules()), NamedPrograms(), EngineSeats(), 1
        )
        while table.view().ending is None:
            if table.view().is_opponents:
                table.let_opponent_move()
                continue
            if undoes and table.view().can_undo and not table.view().is_undone:
                table.undo()
            table.play([card.card for card in table.view().hand if card.is_playable][:1])
        tables.append(table)
    fair, undone = tables
    assert undone.played is None
    assert undone.view().score == (0, 0, 0)
    assert [game.verdict for game in undone.view().past] == ["taken back"]
    assert fair.played is not None
    assert not fair.played.is_priced
    played, best = MoveValue((), 0.4, 2500), MoveValue((51,), 0.6, 2500)
    number = next(place for place, action in enumerate(fair.game.history) if action.kind is ActionKind.TAKE)
    told = fair.priced([JudgedMove(number, played, best, 0.2, MoveClass.MISTAKE)])
    assert told is not None
    assert told.won == {"won": 0.5, "drawn": 0.0, "lost": -0.5}[told.story]
    assert [(decision.chosen, decision.best) for decision in told.decisions] == [("take", "defend")]
    assert told.decisions[0].error == pytest.approx((2 * 0.24 / 2500) ** 0.5)
    assert (told.worth, told.luck) == pytest.approx((0.1, told.won + 0.1))
