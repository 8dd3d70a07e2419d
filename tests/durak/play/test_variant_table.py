"""A table by any rules: games to their end, refusals, what the person sees, logs."""

import json
from pathlib import Path

import pytest

from croupier.durak.arena.log import GameLog, check_log, read_log
from croupier.durak.engine.actions import reply_of
from croupier.durak.engine.dealing import next_leader
from croupier.durak.engine.observation import PassOn, Reply
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import BrokenGame
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import ActionKind, IllegalMove
from croupier.durak.engine.variant_record import build_variant_record
from croupier.durak.play.game import PASSES, Game
from croupier.durak.play.game_review import review
from croupier.durak.play.variant_table import YOU, VariantTable, read_reply
from croupier.errors import InputError
from tests.cli.calling import call

VARIANTS = [preset.name for preset in DURAK.presets if not preset.rules.is_compiled]


def typed(reply: Reply, phase: Phase) -> str:
    """Write an answer as a person types it."""
    if isinstance(reply, PassOn):
        return f"{'show' if reply.is_shown else 'pass'} {cards_text([reply.card])}"
    return cards_text(reply).lower() or PASSES[phase]


def finished(preset: str, seed: int) -> tuple[VariantTable, list[str]]:
    """Play a game to its end; return the table and what the person typed."""
    table = VariantTable(DURAK.preset(preset).rules, ["durak-dummy"], seed)
    lines = []
    while not (view := table.view()).is_over:
        if view.turn != YOU:
            table.let_others_move()
            continue
        lines.append(typed(table.usual_reply(), view.seen.phase))
        table.play(read_reply(lines[-1], view.seen, table.rules))
    return table, lines


@pytest.mark.parametrize("preset", VARIANTS)
def test_a_game_is_played_to_its_end_and_logged(preset: str, tmp_path: Path) -> None:
    table, _ = finished(preset, seed=2)
    view = table.view()
    assert sum(view.score) == 1
    assert [reply_of(move.action) for move in view.moves] == [
        reply_of(action) for action in table.state.history
    ]
    record = build_variant_record(table.state, table.names, "2026-11-15T05:48:09", "2026-11-15T05:58:09", 2)
    path = tmp_path / "games.log"
    with GameLog(path) as log:
        log.append(record)
    assert [game.problem for game in check_log(path)] == [None]
    assert Game.from_log(path).state == table.state
    assert Game(table.state).result == record.result != "unfinished"
    [old_reader] = read_log(path)
    assert isinstance(old_reader, BrokenGame)
    assert "a game of a variant" in old_reader.reason


def test_a_log_that_was_changed_does_not_fit(tmp_path: Path) -> None:
    header, text = Game(finished("perevodnoy", seed=3)[0].state).to_log().splitlines()
    data = json.loads(text)
    wrong = [
        text.replace('"result": "fool', '"result": "fool 9'),
        json.dumps(data | {"players": ["a"]}),
        json.dumps(data | {"seed": "x"}),
        json.dumps(data | {"game": data["game"] | {"leader": 7}}),
        text[:-5],
    ]
    path = tmp_path / "games.log"
    path.write_text("".join(f"{header}\n{line}\n" for line in [*wrong, text]), encoding="utf-8")
    assert [game.problem is None for game in check_log(path)] == [False] * len(wrong) + [True]


def test_a_refused_answer_changes_nothing_and_the_person_sees_no_hidden_card() -> None:
    table = VariantTable(DURAK.preset("proezdnoy").rules, ["durak-dummy"], seed=1)
    while table.view().turn != YOU:
        table.let_others_move()
    before, view = table.state, table.view()
    foreign = next(card for card in table.rules.cards if card not in view.seen.hand)
    with pytest.raises(IllegalMove):
        table.play((foreign,))
    assert table.state is before
    hidden = {card for seat, hand in enumerate(before.hands) if seat != YOU for card in hand} | set(
        before.stock[:-1]
    )
    public = {
        *view.seen.hand,
        *view.seen.table,
        *view.seen.discarded,
        *(card for cards in view.known for card in cards),
    }
    assert not public & hidden - {card for cards in before.taken for card in cards}


def test_a_table_that_is_put_away_plays_on_as_if_it_never_was() -> None:
    table = VariantTable(DURAK.preset("jokers").rules, ["durak-random"], seed=6)
    for _ in range(30):
        again = VariantTable.from_state(json.loads(json.dumps(table.to_state())))
        assert again.view() == table.view()
        for each in (table, again):
            each.play(each.usual_reply()) if each.view().turn == YOU else each.let_others_move()
        assert again.to_state() == table.to_state()
        table = again
    for state in ({"table": "chess"}, {}, table.to_state() | {"score": 3}):
        with pytest.raises(InputError, match="not a durak table"):
            VariantTable.from_state(state)


def test_the_next_game_is_led_by_whom_the_rules_name() -> None:
    table, _ = finished("podkidnoy", seed=4)
    expected = next_leader(table.state)
    table.deal_next()
    assert expected is not None
    assert (table.state.leader, table.view().number) == (expected, 2)


def test_a_game_object_passes_on_by_words() -> None:
    game = Game.deal(seed=1, rules=DURAK.preset("perevodnoy").rules)
    while not any(word.startswith("transfer") for word in game.legal):
        game.play(game.legal[0])
    word = next(word for word in game.legal if word.startswith("transfer"))
    assert game.play(word).state.history[-1].kind is ActionKind.TRANSFER
    assert len(game.names) == 4
    passed_on = review(game, rounds=40).moves[-1].played
    assert f"{passed_on.passing} {cards_text(passed_on.cards)}" == word


def test_the_persons_choices_are_judged_after_the_game_and_not_before() -> None:
    table, _ = finished("perevodnoy", seed=2)
    fresh = VariantTable(table.rules, ["durak-dummy"], seed=2)
    with pytest.raises(IllegalMove, match="the game is not over"):
        fresh.judge()
    assert table.view().review is None
    table.judge()
    judged = table.view().review
    assert judged
    assert {move.seat for move in judged} == {YOU}
    assert judged == review(table.state, seats=[YOU]).moves
    table.deal_next()
    assert table.view().review is None


def test_opponents_that_do_not_fit_the_seats_are_refused() -> None:
    with pytest.raises(InputError, match="2 opponents for 3 seats"):
        VariantTable(DURAK.preset("podkidnoy").rules, ["durak-dummy", "durak-random"], seed=1)


def test_a_variant_is_played_and_replayed_in_the_terminal(tmp_path: Path) -> None:
    _, lines = finished("perevodnoy", seed=5)
    words = (
        "durak",
        "play",
        "--preset",
        "perevodnoy",
        "--engine",
        "durak-dummy",
        "--seed",
        "5",
        "--log",
        "games.log",
    )
    done = call(*words, answer="\n".join(["zz", *lines, "quit"]) + "\n", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "You are player 1; player 2 is durak-dummy" in done.stdout
    assert "'ZZ' is no card" in done.stdout
    assert "1 game: " in done.stdout
    assert (
        "1 games, every card and result fits"
        in call("durak", "replay", "games.log", "--check", folder=tmp_path).stdout
    )
    told = call("durak", "replay", "games.log", "--game", "1", folder=tmp_path).stdout
    assert "Player 4 " in told
    refused = call("durak", "play", "--preset", "perevodnoy", "--engine", "./mine", folder=tmp_path)
    assert refused.returncode == 2
    assert "only built-in players play" in refused.stderr


def test_rules_that_contradict_each_other_are_refused_in_one_line() -> None:
    for setting, message in (
        ("pack=24", "24 cards are dealt to 4 players at most, not to 6"),
        ("players=7", "option 'players': 7 is not allowed; allowed: a whole number from 2 to 6"),
        ("throw_in=some", "option 'throw_in': \"some\" is not allowed"),
    ):
        refused = call("durak", "play", "--preset", "jokers", "--set", setting)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert message in refused.stderr
    refused = call("durak", "play", "--set", "teams=pairs")
    assert "needs 4 or 6 players, not 2" in refused.stderr
