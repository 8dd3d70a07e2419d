"""Translated pages: nothing on them is English for a Russian or a Chinese reader."""

from collections.abc import Iterator

import httpx
import pytest

from croupier import banluck
from croupier.banluck.engine import BANLUCK
from croupier.banluck.play.session import Seating
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.blackjack.engine import BLACKJACK, BlackjackRules, Session, SideBets
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.trainer import verdict_rows, worth_rows
from croupier.blackjack.play.training import EXERCISES, Training
from croupier.choices import Choice
from croupier.durak.engine.pack import card_text
from croupier.durak.engine.rules import DURAK
from croupier.errors import InputError
from croupier.texts import Texts, say
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game
from croupier.web.friends.table import SharedTable
from croupier.web.models.banluck_charts import dealer_grids, player_grid
from croupier.web.models.banluck_question import Address, asked
from croupier.web.models.banluck_study import edge_sentence, study
from croupier.web.models.comparison import Summary, compared
from croupier.web.models.rule_names import (
    GROUPS,
    offered_values,
    option_meaning,
    option_name,
    preset_meaning,
    value_name,
)
from croupier.web.models.rules_query import rules_from_query
from croupier.web.models.solana_account import decode_account
from croupier.web.models.solana_table import SolanaTable
from croupier.web.shell import PAGES
from tests.web.english import READERS, english_in, page_texts, shown_texts
from tests.web.serving import WebServer

#: The pages whose whole content is translated.
TRANSLATED = (
    *("/", "/my-game", "/banluck", "/banluck/table"),
    *("/blackjack/table", "/blackjack/trainer", "/blackjack/counter", "/blackjack/simulator"),
    *("/durak/table", "/durak/party", "/durak/exercise", "/durak/arena", "/durak/replay"),
    *("/friends", "/friends?game=durak", "/friends?game=blackjack", "/friends/nowhere2"),
    *("/solana", "/solana/stranger"),
)


def english(shown: object) -> list[str]:
    """Return what a Russian or a Chinese reader of a view reads in English."""
    return [
        run
        for language in READERS
        for text in shown_texts(shown, Texts(language))
        for run in english_in(text)
    ]


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    server = WebServer(tmp_path_factory.mktemp("languages"))
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client
    server.stop()


@pytest.mark.verify
@pytest.mark.parametrize("path", TRANSLATED)
def test_a_translated_page_shows_no_english_sentence(visitor: httpx.Client, path: str) -> None:
    for language in ("en", *READERS):
        visitor.cookies.clear()
        page = visitor.get(path, headers={"Accept-Language": language}).text
        found = [run for text in page_texts(page) for run in english_in(text)]
        assert bool(found) == (language == "en"), found


def test_every_page_of_the_menu_is_among_the_translated_ones() -> None:
    assert {address for pages in PAGES.values() for address, *_ in pages} <= set(TRANSLATED)


@pytest.mark.verify
@pytest.mark.parametrize("path", TRANSLATED)
def test_no_page_says_that_its_content_is_english(visitor: httpx.Client, path: str) -> None:
    visitor.cookies.clear()
    page = visitor.get(path, headers={"Accept-Language": "ru"}).text
    assert '"id":"content"' in page
    assert '"id":"content","lang"' not in page


def banluck_tables() -> Iterator[BanluckTable]:
    for seating in (
        Seating(),
        Seating(role=Role.DEALER),
        Seating(role=Role.DEALER, players=3, opponent=OpponentName.SIMPLE),
        Seating(banluck.rules("xi-dach"), players=2, opponent=OpponentName.SIMPLE),
    ):
        yield BanluckTable.opened(seating, seed=5, coach=seating.players == 1)


def test_a_banluck_table_shows_no_english_sentence() -> None:
    for table in banluck_tables():
        for turn in range(8):
            assert english(table.view) == []
            table.act(table.actions[turn % len(table.actions)])
        restored = BanluckTable.from_state(table.to_state())
        assert english(restored.view) == []
        assert restored.view == table.view


def test_a_blackjack_table_shows_no_english_sentence() -> None:
    assert english([rules_summary(preset.rules) for preset in BLACKJACK.presets]) == []
    for name in ("six-deck", "european", "console"):
        rules = BLACKJACK.preset(name).rules
        table = BlackjackTable.opened(rules, seed=2, coach=False)
        for turn in range(8):
            view = table.view
            shown = (view.prompt, view.note, view.events, view.dealer, view.seats, view.choices, view.history)
            assert english(shown) == []
            if view.is_betting:
                table.bet(rules.minimum_bet, rules.minimum_bet, side_bets=SideBets(1, 1))
            else:
                table.act(table.actions[turn % len(table.actions)])
        restored = BlackjackTable.from_state(table.to_state())
        assert restored.view == table.view
        assert english(restored.view.history) == []


def test_the_coach_of_blackjack_says_nothing_in_english() -> None:
    table = BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=2, coach=True)
    for turn in range(8):
        if table.view.is_betting:
            table.bet(10)
        else:
            table.act(table.actions[turn % len(table.actions)])
        feedback = table.view.feedback
        said = () if feedback is None else (feedback.verdict, feedback.why, feedback.hand)
        assert english((said, table.view.choices)) == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_trainer_shows_no_english_sentence(exercise: str) -> None:
    training = Training.opened(BlackjackRules(decks=1), seed=1, exercise=exercise)
    for _ in range(6):
        view = training.view()
        assert english((view.introduction, view.prompt, view.choices, view.weak)) == []
        training.answer(view.choices[0].name if view.choices else "1")
        after = training.view()
        drill = after.strategy
        said = (
            ()
            if drill is None or drill.verdict is None
            else (str(drill.verdict), *verdict_rows(drill.verdict))
        )
        judged = () if after.verdict is None else (after.verdict.text, *worth_rows(after.verdict.worths))
        assert english((said, judged, after.prompt, after.choices)) == []
        if after.choices and after.choices[0].name == "next":
            training.go_on()


def friends_games() -> Iterator[Game]:
    yield BanluckEvening(BANLUCK.preset("reference").rules, seed=4)
    yield BlackjackEvening(Session.opened(BLACKJACK.presets[0].rules, 4))
    yield DurakEvening(DURAK.preset("quick").rules, "durak-dummy", seed=4)


def test_tables_for_friends_show_no_english_sentence() -> None:
    for game in friends_games():
        table = SharedTable.opened("K7QM", "ann", "Ann", game)
        table.join("ben", "Ben")
        if game.kind != "durak":
            table.add_engine("ann")
        for turn in range(40):
            for visitor in ("ann", "ben", "nobody"):
                assert english(table.view(visitor)) == []
                choices = [choice for choice in friends_choices(table, visitor) if choice.enabled]
                if choices and visitor != "nobody":
                    first = [choice for choice in choices if choice.name in ("deal", "bet")]
                    choice = first[0] if first else choices[turn % len(choices)]
                    table.act(visitor, choice.name, amount=10 if choice.name == "bet" else None)
            if table.engine_is_to_move:
                table.move_engine()
        assert table.view("ann").game.number > (game.kind != "durak")


def friends_choices(table: SharedTable, visitor: str) -> tuple[Choice, ...]:
    view = table.view(visitor)
    choices: tuple[Choice, ...] = view.game.asked.choices
    if view.kind == "durak" and view.seat is not None:
        cards = [held for held in view.game.hand if held.is_playable]
        choices += tuple(Choice(f"play {card_text(held.card)}", "", "") for held in cards[:1])
    return choices


def test_the_table_on_the_chain_shows_no_english_sentence() -> None:
    table = SolanaTable.opened()
    assert english(table.view()) == []
    for is_watched in (False, True):
        table.begin(seed=4, decks=1, is_watched=is_watched)
        actions = ["next"] * 7 if is_watched else ["deal", "hit", "verify", "forge", "cleanup"]
        for action in actions:
            if action in [choice.name for choice in table.view().choices]:
                table.act(action)
            view = table.view()
            entries = [entry.sentence for entry in view.entries]
            assert english((view.prompt, view.choices, view.player, view.dealer, entries)) == []
            assert english((view.proof, view.forgery, view.account)) == []
    fields = decode_account(table.view().entries[-2].after, b"")
    assert english([(field.meaning, [byte.meaning for byte in field.bytes]) for field in fields]) == []


def test_the_explorer_shows_no_english_sentence() -> None:
    game = banluck.solve()
    hands = [asked("T-6"), asked("T-7", "dealer", "3")]
    for question in hands:
        assert english(study(game, question)) == []
    charts = player_grid(game), dealer_grids(game)
    cells = [
        cell for grid in (charts[0], *charts[1]) for _, row in grid.rows for cell in row if cell is not None
    ]
    assert english([(cell.label, cell.spoken) for cell in cells]) == []
    assert english([grid.title for grid in charts[1]]) == []
    assert english([tuple(row) for row in game.headline]) == []
    assert english([edge_sentence(game.value), edge_sentence(-game.value)]) == []


def test_rules_are_named_and_compared_without_english() -> None:
    for book in (BANLUCK, BLACKJACK):
        shown = [preset_meaning(book.game, preset) for preset in book.presets]
        for option in book.model.options():
            value = getattr(book.presets[0].rules, option.name)
            values = offered_values(option, value) or (value,)
            shown += [option_name(book.game, option.name), option_meaning(book.game, option)]
            shown += [value_name(option.name, offered) for offered in values]
        shown += [say(f"rules.{book.game}.group.{group}") for group in GROUPS[book.game]]
        rules = book.presets[0].rules, book.presets[1].rules
        shown.append(compared(book.game, rules, (Summary(-0.01, {}), Summary(0.01, {}))).sentence)
        assert english(shown) == []


WRONG_INPUT = [
    lambda: BanluckTable.opened(Seating(), seed=1).verify_bet(1000.0),
    lambda: Seating(players=9),
    lambda: Seating(bankroll=0.0),
    lambda: asked(""),
    lambda: asked("x" * 50),
    lambda: asked("T-1"),
    lambda: asked("T"),
    lambda: asked("9-9-9-9-9"),
    lambda: asked("T-6", "banker"),
    lambda: asked("T-6", "dealer", "9"),
    lambda: asked("A-T").advice(banluck.solve().book),
    lambda: Address.read("reference", ["reveal=perhaps"], "", "player", "2"),
    lambda: rules_from_query(BLACKJACK, "six-deck", ["decks=9"]),
    lambda: rules_from_query(BLACKJACK, "six-deck", ["natural_pays=much"]),
    lambda: rules_from_query(BLACKJACK, "six-deck", ["minimum_bet=20", "maximum_bet=10"]),
    lambda: BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=1).bet(2000),
    lambda: BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=1).bet(1.005),
    lambda: BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=1).bet(600, 600),
    lambda: BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=1).rebuy(),
    lambda: BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=1, bankroll=0.5),
]


@pytest.mark.parametrize("mistake", WRONG_INPUT, ids=range(len(WRONG_INPUT)))
def test_wrong_input_is_refused_in_the_readers_language(mistake: object) -> None:
    assert callable(mistake)
    with pytest.raises(InputError) as refused:
        mistake()
    assert english(refused.value.said) == []
    for language in READERS:
        assert Texts(language).shown(refused.value.said) != str(refused.value)
