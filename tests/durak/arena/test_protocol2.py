"""The second version of the protocol: what engines are told, what they may answer, and whole games with programs."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier import durak
from croupier.cards import shuffle
from croupier.durak.arena.compliance import Grade, check_engine
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.log import check_log
from croupier.durak.arena.player import EnginePlayer, PolicyPlayer
from croupier.durak.arena.referee import play_game
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.verdict import Verdict
from croupier.durak.engine import protocol2
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start, with_open_suit
from croupier.durak.engine.observation import Observation, PassOn, observe
from croupier.durak.engine.pack import read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.base import Answer, Engine
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.durak.players.master import MasterEngine
from croupier.durak.players.random_player import RandomPolicy
from croupier.durak.players.splitmix import SplitMix64
from croupier.durak.players.variant_master import imagined_game, searched_reply
from croupier.durak.players.variant_memory import VariantMemory
from croupier.errors import InputError
from tests.durak.rule_sets import RULE_SETS

#: An engine of a few lines without any library: it answers with the first legal answer, and tells what it thinks.
FIRST_LEGAL = """
import json, sys
for line in sys.stdin:
    words, _, data = line.partition("##")
    if words.split()[0] == "game_end":
        break
    if words.split()[0] in ("game", "deal"):
        print("ok", flush=True)
        continue
    print('info {"score": 0.5, "nodes": 1}')
    print(json.loads(data)["legal"][0], flush=True)
"""

#: It knows the first version only.
OLD = """
import sys
for line in sys.stdin:
    print("ok" if line.split()[0] in ("init", "deal") else "what?", flush=True)
"""


def dealt(rules: DurakRules, seed: int) -> GameState:
    return start(rules, with_open_suit(shuffle(rules.cards, seed)), leader=seed % rules.players)


def test_every_question_shows_an_engine_what_the_rules_let_it_see() -> None:
    """The memory of an engine process, fed with the lines, and the imagined game of the master equal the observation."""
    for number, rules in enumerate([rules for rules in RULE_SETS if not rules.is_compiled][::7]):
        state, policy = dealt(rules, number), RandomPolicy(number)
        names = ["x"] * rules.players
        memories = [VariantMemory(protocol2.game_line(state, seat, names)) for seat in range(rules.players)]
        told = protocol2.deals(state)
        while True:
            for notice in told:
                memories[notice.seat].read(notice.line)
            asked = protocol2.question(state)
            if asked is None:
                break
            memory, seen = memories[asked.seat], observe(state, asked.seat)
            shown = memory.question(memory.read(asked.line))
            assert shown._replace(hand=()) == seen._replace(hand=())
            assert sorted(shown.hand) == sorted(seen.hand)
            assert observe(imagined_game(seen), asked.seat) == seen
            reply = policy.reply(seen)
            memory.play(reply)
            after = answer(state, reply)
            told, state = protocol2.notices(state, after), after
        assert [notice.line for notice in told[-rules.players :]] == ["game_end"] * rules.players


def test_answers_are_read_as_they_are_written() -> None:
    pack = DurakRules(pack=54).cards
    for reply in ((), read_cards("7C"), PassOn(20), PassOn(20, is_shown=True), (52,)):
        assert protocol2.parse_reply(protocol2.reply_text(reply), Phase.DEFEND, pack) == reply
    for text, message in (("transfer", "is no card"), ("show 7c", "lower case"), ("XB XR", "2 cards")):
        with pytest.raises(InputError, match=message):
            protocol2.parse_reply(text, Phase.DEFEND, pack)
    with pytest.raises(InputError, match="is no card"):
        protocol2.parse_reply("transfer 7C", Phase.ATTACK, pack)


def test_programs_and_policies_play_at_one_table(script: Callable[..., EngineSpec]) -> None:
    rules = DURAK.preset("proezdnoy").rules
    lines: list[str] = []
    state = dealt(rules, 3)
    with Roster() as roster:
        players = [
            EnginePlayer(script(FIRST_LEGAL, f"first{seat}"), Limits(), roster)
            if seat < 2
            else PolicyPlayer("dummy", lambda: variant_dummy_policy)
            for seat in range(4)
        ]
        game = play_game(
            players,
            state.deck,
            state.leader,
            rules=rules,
            listener=lambda _seat, _way, line: lines.append(line),
        )
    assert game.forfeit is None
    assert game.state.is_over
    assert game.result is None
    assert 'info {"score": 0.5, "nodes": 1}' in lines
    assert durak.Game(game.state, game.names).result == game.variant_record().result


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (OLD, Verdict.WRONG_OK),
        (FIRST_LEGAL.replace('json.loads(data)["legal"][0]', '"transfer XB"'), Verdict.GARBAGE),
        (FIRST_LEGAL.replace('json.loads(data)["legal"][0]', 'json.loads(data)["trump"]'), Verdict.ILLEGAL),
    ],
)
def test_a_fault_loses_the_game_and_is_logged(
    script: Callable[..., EngineSpec], text: str, verdict: Verdict
) -> None:
    rules = DURAK.preset("perevodnoy").rules
    game = durak.Game.between(
        script(text),
        variant_dummy_policy,
        5,
        others=[variant_dummy_policy] * 2,
        rules=rules,
    )
    assert game.forfeit is not None
    assert game.forfeit.verdict is verdict
    assert game.result == "fool 1"
    again = durak.Game.from_log(game.to_log())
    assert (again.state, again.forfeit, again.result) == (game.state, game.forfeit, game.result)


def test_a_match_by_other_rules_is_played_in_pairs_and_logged(tmp_path: Path) -> None:
    rules = DURAK.preset("quick").rules
    log = tmp_path / "games.log"
    result = durak.match(
        variant_dummy_policy, lambda seen: seen.playable[:1], pairs=3, seed=1, rules=rules, log=log
    )
    assert result.tally.games == 6
    assert result.to_dict()["rules"] == rules.changes()
    assert [game.problem for game in check_log(log)] == [None] * 6
    with pytest.raises(InputError, match="rules for two"):
        durak.match(variant_dummy_policy, variant_dummy_policy, rules=DurakRules(players=3))
    with pytest.raises(InputError, match="only matches by the rules of the protocol"):
        durak.match(variant_dummy_policy, variant_dummy_policy, rules=rules, save=tmp_path / "match")
    with pytest.raises(InputError, match="2 players; the rules want 3"):
        durak.Game.between(variant_dummy_policy, variant_dummy_policy, rules=DurakRules(players=3))


def test_an_engine_is_checked_by_the_second_version(script: Callable[..., EngineSpec]) -> None:
    rules = DurakRules(pack=24, transfer="card_or_shown_trump")
    findings = list(check_engine(script(FIRST_LEGAL), rounds=1, rules=rules))
    assert [finding.detail for finding in findings if finding.grade is not Grade.RIGHT] == []
    assert findings[0].trial == "starts, and confirms game with ok"
    assert next(check_engine(script(OLD, "old"), rounds=1, rules=rules)).grade is Grade.WRONG


class Teller(Engine):
    """Plays as the sample engine, and tells what it was told to."""

    def choose_attack(self, seen: Observation) -> Answer:
        self.tell(score=float(self.options["score"]), nodes=7)
        return variant_dummy_policy(seen)

    choose_defence = choose_throw_in = choose_attack


def test_the_base_class_speaks_both_versions_with_options_and_information() -> None:
    rules = DurakRules(players=3)
    state = start(rules, rules.cards, leader=1)
    asked = protocol2.question(state)
    assert asked is not None
    lines = [
        protocol2.game_line(state, 1, ["a", "b", "c"], {"score": "0.25"}),
        protocol2.deals(state)[1].line,
        asked.line,
        "game_end",
        "init 8H",
        "deal 9C KC ## {}",
        "move  ## {}",
    ]
    output = io.StringIO()
    Teller().run(lines, output, keeps_alive=True)
    first, *rest = output.getvalue().splitlines()
    assert (first, rest[0], rest[2]) == ("ok", "ok", "7H")
    assert json.loads(rest[1].removeprefix("info ")) == {"score": 0.25, "nodes": 7}
    assert rest[3:] == ["ok", "ok", "9C"]


def test_the_master_says_what_its_search_in_a_variant_has_found() -> None:
    rules = DurakRules(players=3)
    state = start(rules, rules.cards, leader=1)
    asked = protocol2.question(state)
    assert asked is not None
    lines = [protocol2.game_line(state, 1, ["a", "b", "c"]), protocol2.deals(state)[1].line, asked.line]
    output = io.StringIO()
    MasterEngine(Budget(rounds=60), seed=5).run(lines, output)
    *_, information, card = output.getvalue().splitlines()
    found = searched_reply(state, Budget(rounds=60), SplitMix64(5).next_word())
    assert found.score is not None
    assert found.score > 0
    assert json.loads(information.removeprefix("info ")) == {
        "score": round(found.score, 3),
        "nodes": found.games,
    }
    assert read_cards(card) == found.reply
