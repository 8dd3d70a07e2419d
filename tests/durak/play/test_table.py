import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.durak.arena.roster import RosterClosedError
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import GameRecord, format_record, parse_log
from croupier.durak.engine.record_check import check_record, replay_record
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.play.coach import ADVICE_BUDGET, ADVICE_SEED
from croupier.durak.play.facts import OPPONENT, YOU, TableFacts, TableSetting
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.durak.play.view import view_of
from croupier.durak.players.review import advice, review
from croupier.errors import InputError
from croupier.operations import is_allowed
from tests.web.models.durak_services import DurakServices, durak_services

SEEDS = st.integers(0, 2**64 - 1)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DurakServices]:
    with durak_services(tmp_path_factory.mktemp("services")) as made:
        yield made


def facts_of(table: DurakTable) -> TableFacts:
    return TableFacts.from_state(table.to_state())


def answers(table: DurakTable) -> list[list[int]]:
    """All answers with at most one card, and throwing in everything that can be."""
    view = table.view()
    cards = [held.card for held in view.hand if held.is_playable]
    found = [[card] for card in cards]
    if view.phase is Phase.THROW_IN:
        found.append(cards[: view.throw_in_limit])
    return [*found, []] if view.can_pass else found


def can_play(table: DurakTable, cards: list[int]) -> bool:
    return is_allowed(lambda: table.verify_play(cards))


def advance(table: DurakTable, chance: random.Random) -> None:
    """Do the next thing: the opponent's move, or a random one."""
    if table.view().is_opponents:
        table.let_opponent_move()
    else:
        offered = answers(table)
        # Cards rather than takes, mostly: a game between two who play at random hardly ends.
        table.play(offered[0] if chance.random() < 0.7 else chance.choice(offered))


def play_out(table: DurakTable, chance: random.Random) -> None:
    while table.view().ending is None:
        advance(table, chance)


def restored(table: DurakTable, services: DurakServices, seats: EngineSeats | None = None) -> DurakTable:
    return DurakTable.from_state(
        json.loads(json.dumps(table.to_state())), services.engines, seats or services.seats
    )


def with_hidden_cards_mixed(facts: TableFacts, chance: random.Random) -> TableFacts:
    """Return the same table with the cards that the person has not seen in other places."""
    game = facts.game
    hidden = list(observe(game, YOU).unseen)
    mixed = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    moved = [tuple(mixed.get(card, card) for card in cards) for cards in (game.deck, *game.hands)]
    dealt = [tuple(mixed.get(card, card) for card in cards) for cards in game.dealt]
    game = replace(game, deck=moved[0], hands=(moved[1], moved[2]), dealt=(dealt[0], dealt[1]))
    return replace(facts, game=game)


@settings(max_examples=6)
@given(seed=SEEDS, opponent=st.sampled_from(["durak-dummy", "durak-random"]), is_capped=st.booleans())
def test_the_browser_is_told_nothing_that_the_person_could_not_know(
    services: DurakServices, seed: int, opponent: str, is_capped: bool
) -> None:
    rules = DurakRules(six_card_cap=is_capped)
    table, chance = services.table(opponent, seed, rules=rules), random.Random(seed)
    while table.view().ending is None:
        facts = facts_of(table)
        assert view_of(with_hidden_cards_mixed(facts, chance)) == table.view()
        assert str(seed) not in repr(asdict(table.view())) or seed < 100
        advance(table, chance)


def test_mixing_hidden_cards_does_change_the_table(services: DurakServices) -> None:
    facts = facts_of(services.table(seed=5))
    assert with_hidden_cards_mixed(facts, random.Random(1)).game != facts.game


@settings(max_examples=5)
@given(seed=SEEDS, opponent=st.sampled_from(["durak-dummy", "durak-random", "durak-master 2"]))
def test_a_table_that_is_put_away_at_every_step_plays_on_as_if_it_never_was(
    services: DurakServices, seed: int, opponent: str
) -> None:
    kept = services.table(opponent, seed)
    kept.set_coach(is_on=seed % 4 == 0)
    again = restored(kept, services)
    kept_chance, chance = random.Random(seed), random.Random(seed)
    while kept.view().ending is None:
        advance(kept, kept_chance)
        advance(again, chance)
        again = restored(again, services)
        assert again.view() == kept.view()
        assert again.to_state() == kept.to_state()


@settings(max_examples=5)
@given(seed=SEEDS, choice=st.integers(0, 100))
def test_what_is_offered_can_be_played_and_nothing_else(
    services: DurakServices, seed: int, choice: int
) -> None:
    table, chance = services.table("durak-random", seed), random.Random(choice)
    while table.view().ending is None:
        view, before = table.view(), table.to_state()
        playable = {held.card for held in view.hand if held.is_playable}
        for card in PACK:
            assert can_play(table, [card]) == (view.is_yours and card in playable)
        assert can_play(table, []) == view.can_pass
        refused = chance.choice([card for card in PACK if card not in playable])
        with pytest.raises(DurakRefusal):
            table.play([refused])
        assert table.to_state() == before
        advance(table, chance)


def test_a_game_that_is_over_is_counted_once_and_refuses_moves(services: DurakServices) -> None:
    table = services.table(seed=3)
    play_out(table, random.Random(3))
    view = table.view()
    assert sum(view.score) == 1
    assert len(view.past) == 1
    with pytest.raises(DurakRefusal, match="The game is over"):
        table.play([])
    table.let_opponent_move()
    assert table.view() == view


def test_both_hands_are_open_once_the_cards_have_decided(services: DurakServices) -> None:
    for seed in range(8):
        table = services.table(seed=seed)
        play_out(table, random.Random(seed))
        ending = table.view().ending
        assert ending is not None
        game = facts_of(table).game
        assert sorted(ending.opponents_hand) == sorted(game.hands[OPPONENT])
        expected = {0: "won", 1: "lost", None: "drawn"}[game.winner]
        assert ending.outcome == expected


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_that_is_over_can_be_replayed_as_a_log_keeps_it(services: DurakServices, seed: int) -> None:
    setting = TableSetting("durak-dummy", DurakRules(six_card_cap=True), winner_leads=True)
    table = DurakTable.opened(setting, services.engines, EngineSeats(), seed=seed)
    with pytest.raises(DurakRefusal, match="not over"):
        table.record("Ann", NOON, NOON)
    for _ in range(2):
        play_out(table, random.Random(seed))
        (record,) = parse_log(format_record(table.record("Ann", NOON, NOON)))
        assert isinstance(record, GameRecord)
        assert replay_record(record) == facts_of(table).game
        assert (record.player1_name, record.player2_name) == ("Ann", "durak-dummy")
        table.deal_next()


def test_who_won_leads_the_next_game_if_the_table_says_so(services: DurakServices) -> None:
    seen = set()
    for seed in range(6):
        table = services.table(seed=seed, winner_leads=True)
        play_out(table, random.Random(seed))
        outcome = table.view().past[-1].ending
        table.deal_next()
        if outcome != "drawn":
            assert table.view().you_led == (outcome == "won")
            seen.add(outcome)
    assert seen == {"won", "lost"}


def test_a_game_that_is_not_over_is_dropped_without_a_score(services: DurakServices) -> None:
    table = services.table(seed=1)
    table.deal_next(TableSetting("durak-random", DurakRules(six_card_cap=True)))
    view = table.view()
    assert (view.number, view.score, view.past) == (2, (0, 0, 0), ())
    assert view.setting.opponent == "durak-random"
    assert view.setting.rules.six_card_cap


def test_an_opponent_that_is_not_in_the_list_is_refused(services: DurakServices) -> None:
    table = services.table(seed=1)
    before = table.to_state()
    with pytest.raises(DurakRefusal, match="no engine 'deep blue'"):
        table.deal_next(TableSetting("deep blue", DurakRules()))
    assert table.to_state() == before


def to_a_choice(table: DurakTable, chance: random.Random) -> None:
    """Play on until the person has a choice."""
    while not table.view().has_choice:
        advance(table, chance)


def test_a_hint_is_the_evaluation_of_the_master(services: DurakServices) -> None:
    table, chance = services.table("durak-random", seed=9), random.Random(1)
    for _ in range(5):
        to_a_choice(table, chance)
        table.ask_hint()
        game = facts_of(table).game
        expected = advice(game, ADVICE_BUDGET, ADVICE_SEED)
        view = table.view()
        assert view.advice == expected
        assert [held.card for held in view.hand if held.is_best] == list(expected[0].cards)
        advance(table, chance)
        assert table.view().advice == ()


def test_coach_and_review_give_one_verdict_of_a_move(services: DurakServices) -> None:
    """They once searched with different settings, and disagreed on the same move."""
    table, chance = services.table("durak-random", seed=11), random.Random(2)
    table.set_coach(is_on=True)
    said = {}
    while not table.view().ending:
        advance(table, chance)
        judged = facts_of(table).last_move
        if judged is not None:
            said[judged.number] = (judged.played, judged.best, judged.loss)
    reviewed = review(facts_of(table).game, ADVICE_BUDGET, ADVICE_SEED, seats=(YOU,))
    assert said
    assert said == {move.number: (move.played, move.best, move.loss) for move in reviewed}


def test_the_coach_speaks_before_every_move_and_prices_it_afterwards(services: DurakServices) -> None:
    table, chance = services.table("durak-random", seed=11), random.Random(2)
    table.set_coach(is_on=True)
    priced = 0
    while table.view().ending is None:
        view = table.view()
        if not view.is_yours:
            table.let_opponent_move()
            continue
        assert bool(view.advice) == view.has_choice
        answer = chance.choice(answers(table))
        table.play(answer)
        cost = table.view().last_move
        if not view.has_choice:
            assert cost is None
            continue
        worth = {frozenset(value.cards): value.expected_score for value in view.advice}
        assert cost is not None
        assert cost.loss == max(0.0, view.advice[0].expected_score - worth[frozenset(answer)])
        assert (set(cost.played), cost.hand) == (set(answer), tuple(held.card for held in view.hand))
        priced += 1
    assert priced > 5


def test_a_review_is_that_of_the_players(services: DurakServices) -> None:
    table = services.table("durak-random", seed=4)
    with pytest.raises(DurakRefusal, match="not over yet"):
        table.judge()
    play_out(table, random.Random(4))
    table.judge()
    told = table.view().review
    assert told is not None
    expected = review(facts_of(table).game, seed=ADVICE_SEED, seats=(YOU,))
    assert [(move.number, move.loss, move.move_class) for move in told] == [
        (move.number, move.loss, move.move_class) for move in expected
    ]
    assert [set(move.hand) for move in told] == [set(move.seen.hand) for move in expected]
    assert restored(table, services).view().review == told


@pytest.mark.parametrize(
    "change",
    [
        {"table": "chess"},
        {"game": "{}"},
        {"game": 7},
        {"score": [1]},
        {"past": [[1, "x", "eaten", ""]]},
        {"rules": {"six_card_cap": 3}},
        {"advice": [["9Z", 1, 1, True]]},
        {"seed": "x"},
        {"forfeit": {}},
    ],
)
def test_a_state_that_is_no_table_is_refused(services: DurakServices, change: dict[str, object]) -> None:
    state = services.table().to_state() | change
    with pytest.raises(InputError):
        DurakTable.from_state(state, services.engines, services.seats)


# Engines that were added


@pytest.mark.parametrize(
    ("animal", "verdict"), [("raises", "crash"), ("two_cards", "garbage"), ("dies_at_start", "crash")]
)
def test_an_engine_at_fault_forfeits_and_the_table_goes_on(tmp_path: Path, animal: str, verdict: str) -> None:
    with durak_services(tmp_path) as services:
        table = services.table(services.add_animal(animal), seed=2)
        play_out(table, random.Random(1))
        ending = table.view().ending
        assert ending is not None
        assert (ending.outcome, ending.verdict) == ("won", verdict)
        assert table.view().past[-1].verdict == verdict
        record = table.record("Ann", NOON, NOON)
        assert (record.result, check_record(record)) == ("1-0", None)
        assert record.forfeit is not None
        assert record.forfeit["verdict"] == verdict
        assert restored(table, services).view() == table.view()
        table.deal_next(TableSetting("durak-dummy", DurakRules()))
        play_out(table, random.Random(1))
        assert sum(table.view().score) == 2
        services.wait_until_alone()


def test_an_engine_that_plays_a_card_against_the_rules_forfeits(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        table = services.table(services.add_animal("bluffer"), seed=2)
        chance = random.Random(1)
        while table.view().ending is None:
            advance(table, chance)
        ending = table.view().ending
        assert ending is not None
        assert ending.verdict == "illegal card"
        assert "answered" in ending.reason


def test_an_engine_that_hangs_and_will_not_end_forfeits_and_is_ended(tmp_path: Path) -> None:
    with durak_services(tmp_path, answer_limit=0.3) as services:
        table = services.table(services.add_animal("ignores_sigterm"), seed=2)
        play_out(table, random.Random(1))
        ending = table.view().ending
        assert ending is not None
        assert ending.verdict == "hang"
        services.wait_until_alone()


def test_a_whole_game_against_a_process_leaves_no_process(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        table = services.table(services.add_animal("tame.py"), seed=5)
        play_out(table, random.Random(5))
        ending = table.view().ending
        assert ending is not None
        assert ending.verdict == ""
        assert services.seats.count == 0
        services.wait_until_alone()


def test_a_game_against_a_process_goes_on_after_a_restart(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        name = services.add_animal("tame.py")
        kept, chance = services.table(name, seed=6), random.Random(6)
        play_out(kept, chance)
        table, chance = services.table(name, seed=6), random.Random(6)
        steps = 0
        while table.view().ending is None:
            steps += 1
            if steps % 20 == 0:
                services.seats.close()
                services.seats = EngineSeats()
                table = restored(table, services, services.seats)
            advance(table, chance)
        assert table.to_state() == kept.to_state()


FICKLE = """
import sys
from pathlib import Path
sys.path.insert(0, {zoo!r})
from tame import Tame
has_changed = Path(__file__).with_suffix(".changed").exists()
class Fickle(Tame):
    def cost(self, card):
        trump, rank = super().cost(card)
        return (trump, -rank if has_changed else rank)
Fickle().run()
"""


def test_a_game_is_called_off_when_its_engine_does_not_play_it_again_as_before(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        services.add_animal("tame.py")
        name = services.add_script("fickle", FICKLE.format(zoo=str(tmp_path / "zoo")))
        table, chance = services.table(name, seed=6), random.Random(6)
        while sum(not move.is_yours and bool(move.cards) for move in table.view().moves) < 4:
            advance(table, chance)
        (tmp_path / "fickle.changed").touch()
        seats = EngineSeats()
        table = restored(table, services, seats)
        while table.view().ending is None:
            advance(table, chance)
        ending = table.view().ending
        assert ending is not None
        assert ending.outcome == "called_off"
        assert table.view().score == (0, 0, 0)
        assert seats.count == 0
        seats.close()


def test_a_game_is_called_off_when_its_engine_is_taken_off_the_list(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        table = services.table(services.add_animal("tame.py"), seed=1)
        services.engines.remove("tame.py")
        play_out(table, random.Random(1))
        ending = table.view().ending
        assert ending is not None
        assert ending.outcome == "called_off"


def test_a_lab_that_closes_while_an_engine_thinks_does_not_take_the_game_from_it(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services, ThreadPoolExecutor(1) as executor:
        table, chance = services.table(services.add_animal("sleeper"), seed=2), random.Random(1)
        while table.view().is_yours:
            advance(table, chance)
        before = table.to_state()
        thinking = executor.submit(table.let_opponent_move)
        while not services.processes():
            assert not thinking.done()
        services.seats.close()
        with pytest.raises(RosterClosedError):
            thinking.result()
        assert table.to_state() == before
        services.wait_until_alone()


def test_an_added_engine_is_not_given_rules_that_the_protocol_cannot_tell(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        name = services.add_animal("tame.py")
        with pytest.raises(DurakRefusal, match="rules of the protocol only"):
            services.table(name, rules=DurakRules(six_card_cap=True))


def test_only_so_many_engines_sit_at_tables_and_whoever_had_to_leave_comes_back(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        services.seats.close()
        services.seats = EngineSeats(most=2)
        name = services.add_animal("tame.py")
        tables = [services.table(name, seed=seed) for seed in range(3)]
        chances = [random.Random(seed) for seed in range(3)]
        for _ in range(3):
            for table, chance in zip(tables, chances, strict=True):
                for _ in range(4):
                    advance(table, chance)
                assert services.seats.count <= 2
        for seed, table in enumerate(tables):
            alone, chance = services.table(name, seed=seed), random.Random(seed)
            for _ in range(12):
                advance(alone, chance)
            assert alone.to_state() == table.to_state()


def test_cards_are_sorted_as_people_hold_them_and_have_keys_in_that_order(services: DurakServices) -> None:
    view = services.table(seed=1).view()
    trump_suit = view.trump % 4
    order = [(held.card % 4 == trump_suit, held.card) for held in view.hand]
    assert order == sorted(order)
    assert "".join(held.key for held in view.hand) == "123456"


def test_cards_that_were_taken_are_known(services: DurakServices) -> None:
    for seed in range(30):
        table, chance = services.table(seed=seed), random.Random(seed)
        while table.view().ending is None:
            before = table.view()
            advance(table, chance)
            after = table.view()
            if after.ending is None and after.moves[-1].kind.value == "throw_in" and after.moves[-1].is_yours:
                taken = {card for pair in before.table for card in pair if card is not None}
                assert taken <= set(after.known_enemy)
                return
    raise AssertionError("the opponent never took")


SAVED = Path(__file__).parents[2] / "data" / "durak" / "saved-tables"


def test_a_table_that_version_0_1_saved_is_restored_and_played_on(services: DurakServices) -> None:
    state = json.loads((SAVED / "0.1.json").read_text(encoding="utf-8"))
    table = DurakTable.from_state(state, services.engines, services.seats)
    assert table.to_state() == state
    view = table.view()
    assert (view.number, view.score, view.setting.opponent) == (2, (0, 0, 1), "durak-dummy")
    assert (view.setting.winner_leads, view.setting.rules) == (True, DURAK.preset("table").rules)
    assert view.has_coach
    table.set_coach(is_on=False)
    play_out(table, random.Random(1))
    assert sum(table.view().score) == 2


def test_the_review_of_a_table_that_version_0_1_saved_is_shown(services: DurakServices) -> None:
    state = json.loads((SAVED / "0.1-reviewed.json").read_text(encoding="utf-8"))
    review = DurakTable.from_state(state, services.engines, services.seats).view().review
    assert review is not None
    assert [move.loss for move in review] == [move["loss"] for move in state["judged"]]
