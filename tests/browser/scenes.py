"""Every page of the web app in the states that people meet: what tests look at, and what is photographed.

A scene is a visitor with saved tables, an address, and what happens there. All scenes live in one store, so one server shows them all.
"""

import json
import random
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from itsdangerous import TimestampSigner
from playwright.sync_api import BrowserContext, Page, expect

from croupier.banluck.play.session import Seating
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.blackjack.engine import BlackjackRules, BlackjackShoe, Session
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.blackjack.play.training import Training
from croupier.cards import format_cards, parse_card
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import act, action_of, legal_replies
from croupier.durak.engine.dealing import start
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.variant_record import build_variant_record, format_variant_record
from croupier.durak.play.facts import YOU, TableFacts, TableSetting, dealt
from croupier.durak.play.variant_table import VariantTable
from croupier.durak.players.built_in import built_in_player
from croupier.runs.database import open_database
from croupier.runs.played import PlayedStore
from croupier.runs.sessions import SessionStore
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game
from croupier.web.friends.table import SharedTable
from croupier.web.friends.tables import OWNER
from croupier.web.played import PlayedHands
from tests.web.serving import WebServer

COOKIE_KEY = "known to the scenes"
LOG = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"

#: Whose statistics there are.
REGULAR = "regular"

#: Who has opened the shared tables, and their links.
HOST = "host"
BANLUCK_TABLE, BLACKJACK_TABLE, DURAK_TABLE = "banuck22", "backjack", "durak222"

State = dict[str, Any]


def nothing_more(_: Page) -> None:
    """Leave the page as it opens."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One state of one page.

    Attributes
    ----------
    name
        What its pictures are called.
    path
        The address.
    left
        The visitor's saved tables, by session.
    arrange
        What is done on the page before it is looked at.
    is_table
        Whether it is a table with an action bar.
    visitor
        Who looks; somebody of the scene's own if empty.
    """

    name: str
    path: str
    left: Callable[[], Mapping[str, State]] = dict
    arrange: Callable[[Page], None] = nothing_more
    is_table: bool = False
    visitor: str = ""

    @property
    def who(self) -> str:
        """The visitor of the scene."""
        return self.visitor or self.name

    def open(self, context: BrowserContext, url: str) -> Page:
        """Open the scene in a browser that knows nothing yet."""
        session = b64encode(json.dumps({"id": self.who}).encode())
        cookie = TimestampSigner(COOKIE_KEY).sign(session).decode()
        context.add_cookies([{"name": "session", "value": cookie, "url": url}])
        page = context.new_page()
        page.goto(url + self.path)
        page.wait_for_function("window.did_handshake")
        self.arrange(page)
        return page


# Tables that were left


def blackjack_table(cards: str, *actions: str, hands: int = 1, **changes: Any) -> State:
    """Return a table with the coach at a shoe that begins with some cards, after some actions."""
    rules = BlackjackRules(decks=6, **changes)
    state = BlackjackTable.opened(rules, seed=1, coach=True).to_state()
    shoe = BlackjackShoe.stacked(rules, [parse_card(card) for card in cards.split()], seed=(1, 0))
    state["session"]["shoe"]["order"] = format_cards(shoe.order)
    table = BlackjackTable.from_state(state)
    if actions:
        table.bet(*[10.0 * (place + 1) for place in range(hands)])
    for action in actions:
        if action != "deal":
            table.act(action)
    return table.to_state()


def banluck_table(seating: Seating, seed: int, *, until: str = "", coach: bool = True) -> State:
    """Return a table in the first hand in which an action with some beginning can be chosen."""
    table = BanluckTable.opened(seating, seed=seed, coach=coach)
    for _ in range(60 if until else 0):
        if any(action.startswith(until) for action in table.actions):
            break
        table.act("deal" if not table.actions or "deal" in table.actions else table.actions[-1])
    return table.to_state()


def long_durak_hand(cards: int) -> State:
    """Return a table at which the person always takes, and holds at least so many cards."""
    facts: TableFacts = dealt(TableSetting("durak-master 2", DURAK.preset("table").rules), seed=3, number=0)
    while len(facts.game.hands[YOU]) < cards or not facts.is_yours or facts.game.phase is Phase.THROW_IN:
        facts = facts.answered(_patient_answer(facts))
    return facts.to_state()


def _patient_answer(facts: TableFacts) -> tuple[int, ...]:
    if facts.game.to_act == YOU and facts.game.phase is Phase.DEFEND:
        return ()
    return max(legal_replies(facts.game), key=len)


def durak_party(preset: str, moves: int) -> State:
    """Return a table for company after so many answers of the person, at whose turn it is."""
    table = VariantTable(DURAK.preset(preset).rules, ["durak-dummy"], seed=5)
    while table.view().turn != YOU or moves:
        if table.view().turn == YOU:
            table.play(table.usual_reply())
            moves -= 1
        else:
            table.let_others_move()
    return table.to_state()


def variant_log() -> str:
    """Return a log with a game of each preset but the protocol's, played by dummies."""
    games = []
    for preset in DURAK.presets[1:]:
        state = start(preset.rules, deal_of_pair(7, 0, preset.rules).deck)
        dummy = built_in_player("durak-dummy")
        while not state.is_over:
            state = act(state, action_of(state, dummy.answer(state, 1)))
        names = [f"dummy {seat + 1}" for seat in range(preset.rules.players)]
        record = build_variant_record(state, names, "2026-11-15T05:48:09", "2026-11-15T05:49:00", seed=7)
        games.append(format_variant_record(record))
    return "".join(games)


def friends_tables() -> Iterator[SharedTable]:
    """Yield shared tables in the middle of a hand."""
    rules = Seating().rules
    games: dict[str, Game] = {
        BANLUCK_TABLE: BanluckEvening(rules, seed=4),
        BLACKJACK_TABLE: BlackjackEvening(Session.opened(BlackjackRules(), 4)),
        DURAK_TABLE: DurakEvening(DURAK.preset("podkidnoy").rules, "durak-dummy", seed=4),
    }
    for code, game in games.items():
        table = SharedTable.opened(code, HOST, "Ann", game)
        for name in ("Ben", "Chloë"):
            table.join(name, name)
        if code != DURAK_TABLE:
            for visitor in ("Ben", "Chloë", *((HOST,) if code == BLACKJACK_TABLE else ())):
                table.act(visitor, "bet", amount=10)
        table.act(HOST, "deal")
        yield table


def record_hands(played: PlayedHands) -> None:
    """Play hands of Banluck and blackjack that are right most of the time, and record them."""
    luck = random.Random(1)
    for table in (
        BlackjackTable.opened(BlackjackRules(decks=6), seed=2),
        BanluckTable.opened(Seating(), seed=2),
    ):
        for _ in range(60):
            table.act("deal")
            while table.actions and "deal" not in table.actions:
                table.act(
                    luck.choice([name for name in ("hit", "stand") if name in table.actions] or table.actions)
                )
            if table.played is not None:
                played.record(REGULAR, table.played)


# What happens on a page


def training(exercise: str) -> dict[str, State]:
    """Return a training at an exercise."""
    return {
        "blackjack-trainer": Training.opened(BlackjackRules(decks=1), seed=1, exercise=exercise).to_state()
    }


def wait_for(mark: str) -> Callable[[Page], None]:
    """Return a step that waits until something is there."""
    return lambda page: expect(page.get_by_test_id(mark).first).to_be_visible(timeout=120_000)


def solve(page: Page) -> None:
    """Wait for the solution of the rules."""
    expect(page.get_by_test_id("answer")).to_contain_text("%", timeout=120_000)


def open_rules(page: Page) -> None:
    """Unfold the rules form."""
    solve(page)
    page.get_by_test_id("rules").locator(".q-item").first.click()
    expect(page.get_by_test_id("rule-player_minimum")).to_be_visible()


def play_match(page: Page) -> None:
    """Play a short match in the arena."""
    page.get_by_test_id("pairs").fill("6")
    page.get_by_test_id("seed").fill("1")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("open-log")).to_be_visible(timeout=120_000)
    expect(page.get_by_test_id("stop")).to_be_hidden(timeout=120_000)


def simulate(page: Page) -> None:
    """Simulate a few rounds."""
    wait_for("edge-chart")(page)
    page.get_by_test_id("sim-rounds").fill("200000")
    page.get_by_test_id("sim-start").click()
    expect(page.get_by_test_id("sim-outcomes")).to_be_visible(timeout=120_000)


def answer_wrongly(page: Page) -> None:
    """Give the trainer an answer."""
    answer, verdict = page.get_by_test_id("choice-stand"), page.get_by_test_id("verdict")
    expect(answer.or_(verdict).first).to_be_visible(timeout=120_000)
    if not verdict.is_visible():
        answer.click()
    wait_for("verdict")(page)


def review(page: Page) -> None:
    """Ask for the review of a replayed game."""
    page.get_by_test_id("review").click()
    expect(page.locator(".chart-spot").first).to_be_visible(timeout=300_000)


def ask_coach(page: Page) -> None:
    """Switch the coach of a durak table on, unless it is, and wait for its figures."""
    coach = page.get_by_test_id("coach")
    if coach.get_attribute("aria-checked") != "true":
        coach.click()
    expect(page.get_by_test_id("advice")).to_be_visible(timeout=300_000)


SPLIT = "8H 6C 8D KS 8S TH TD 9C 3D 2H 5C 4S"
SIMPLE = OpponentName.SIMPLE

SCENES = (
    Scene("home", "/", arrange=wait_for("day-prompt")),
    Scene("home-regular", "/", visitor=REGULAR, arrange=wait_for("day-prompt")),
    Scene("banluck-explorer", "/banluck?hand=T-6", arrange=wait_for("study-title")),
    Scene("banluck-explorer-rules", "/banluck", arrange=open_rules),
    Scene("banluck-table-new", "/banluck/table", is_table=True),
    Scene(
        "banluck-table-choice",
        "/banluck/table",
        lambda: {"banluck": banluck_table(Seating(), 6, until="hit")},
        is_table=True,
    ),
    Scene(
        "banluck-table-reveal",
        "/banluck/table",
        lambda: {"banluck": banluck_table(Seating(role=Role.DEALER, players=4), 8, until="open")},
        is_table=True,
    ),
    Scene(
        "banluck-table-seven",
        "/banluck/table",
        lambda: {"banluck": banluck_table(Seating(players=7), 8, until="hit")},
        is_table=True,
    ),
    Scene("blackjack-table-new", "/blackjack/table", is_table=True),
    Scene(
        "blackjack-table-choice",
        "/blackjack/table",
        lambda: {"blackjack": blackjack_table("TH TC 6D KS 5H", "deal")},
        is_table=True,
    ),
    Scene(
        "blackjack-table-split",
        "/blackjack/table",
        lambda: {"blackjack": blackjack_table(SPLIT, "split", "split", "hit")},
        is_table=True,
    ),
    Scene(
        "blackjack-table-over",
        "/blackjack/table",
        lambda: {"blackjack": blackjack_table("TH 6C 6D KS 5H 9C", "stand")},
        is_table=True,
    ),
    Scene("blackjack-trainer", "/blackjack/trainer", is_table=True, arrange=wait_for("choice-stand")),
    Scene(
        "blackjack-trainer-answer",
        "/blackjack/trainer",
        lambda: {
            "blackjack-trainer": BlackjackTrainer.opened(BlackjackRules(decks="infinite"), seed=1).to_state()
        },
        answer_wrongly,
        is_table=True,
    ),
    *(
        Scene(
            f"blackjack-trainer-{exercise}",
            "/blackjack/trainer",
            partial(training, exercise),
            wait_for(mark),
            is_table=True,
        )
        for exercise, mark in (("count", "again"), ("true-count", "tray"), ("shoe", "tray"))
    ),
    Scene("blackjack-counter", "/blackjack/counter", arrange=wait_for("bets")),
    Scene(
        "blackjack-simulator",
        "/blackjack/simulator?preset=vegas-strip&set=decks%3Dinfinite",
        arrange=simulate,
    ),
    Scene(
        "blackjack-simulator-open",
        "/blackjack/simulator?preset=double-exposure&set=decks%3Dinfinite",
        arrange=simulate,
    ),
    Scene("durak-table", "/durak/table", is_table=True, arrange=wait_for("hand")),
    Scene("durak-table-long", "/durak/table", lambda: {"durak": long_durak_hand(14)}, is_table=True),
    Scene(
        "durak-table-coach",
        "/durak/table",
        lambda: {"durak": long_durak_hand(8)},
        ask_coach,
        is_table=True,
    ),
    Scene(
        "durak-party-four",
        "/durak/party",
        lambda: {"durak party": durak_party("podkidnoy", 3)},
        is_table=True,
    ),
    Scene(
        "durak-party-six", "/durak/party", lambda: {"durak party": durak_party("jokers", 2)}, is_table=True
    ),
    Scene("durak-exercise", "/durak/exercise", is_table=True, arrange=wait_for("hand")),
    Scene("durak-arena", "/durak/arena", arrange=play_match),
    Scene("durak-replay", "/durak/replay"),
    Scene(
        "durak-replay-game", "/durak/replay?log=old-games.log&game=1&step=12", arrange=wait_for("game-title")
    ),
    Scene("durak-replay-review", "/durak/replay?log=old-games.log&game=2&step=9", arrange=review),
    Scene(
        "durak-replay-variant",
        "/durak/replay?log=variants.log&game=8&step=30",
        arrange=wait_for("game-title"),
    ),
    Scene("my-game-new", "/my-game"),
    Scene("my-game", "/my-game", visitor=REGULAR, arrange=wait_for("my-hands")),
    Scene("friends", "/friends"),
    Scene("friends-join", f"/friends/{BANLUCK_TABLE}", is_table=True),
    Scene("friends-banluck", f"/friends/{BANLUCK_TABLE}", visitor=HOST, is_table=True),
    Scene("friends-blackjack", f"/friends/{BLACKJACK_TABLE}", visitor=HOST, is_table=True),
    Scene("friends-durak", f"/friends/{DURAK_TABLE}", visitor=HOST, is_table=True),
    Scene("solana", "/solana", is_table=True),
    Scene("solana-stranger", "/solana/stranger"),
)


def prepare(server: WebServer) -> None:
    """Fill the store of a server that has not been started yet with what the scenes need."""
    logs = server.folder / "web" / "durak" / "logs"
    logs.mkdir(parents=True)
    (server.folder / "web" / "cookie-key").write_text(COOKIE_KEY, encoding="utf-8")
    shutil.copy(LOG, logs / LOG.name)
    (logs / "variants.log").write_text(variant_log(), encoding="utf-8")
    with open_database(server.store, create=True) as database:
        store = SessionStore(database)
        for scene in SCENES:
            for session, state in scene.left().items():
                store.save(scene.who, session, state)
        for table in friends_tables():
            store.save(OWNER, table.code, table.to_state())
        record_hands(PlayedHands(PlayedStore(database)))
