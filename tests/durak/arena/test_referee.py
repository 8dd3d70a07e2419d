import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import Limits, read_engine
from croupier.durak.arena.player import EnginePlayer, PolicyPlayer
from croupier.durak.arena.referee import play_game
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import EngineFault, Verdict
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK, card_text, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import parse_command
from croupier.durak.engine.record import GameRecord, parse_log
from croupier.durak.engine.record_check import check_record
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.random_player import RandomPolicy

DATA = Path(__file__).parents[2] / "data" / "durak"
PATIENT = Limits(start=120, answer=120)
Line = tuple[int, str, str]


def recorded_conversation() -> list[Line]:
    lines = (DATA / "conversation.txt").read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"engine([12]) (<-|->) ?(.*)", line) for line in lines]
    return [(int(match[1]) - 1, match[2], match[3]) for match in found if match]


def deck_of(conversation: Sequence[Line]) -> list[int]:
    """Put the deck together: both hands, then what attacker and defender drew after each bout."""
    commands = [(seat, parse_command(text)) for seat, arrow, text in conversation if arrow == "<-"]
    deals = [command.cards for _, command in commands if command.name == "deal"]
    attackers = [seat for seat, command in commands if command.name == "move" and not command.cards]
    deck = [*deals[0], *deals[1]]
    for bout, attacker in enumerate(attackers[: len(deals) // 2 - 1], start=1):
        drawn = deals[2 * bout : 2 * bout + 2]
        for cards in (drawn[attacker], drawn[1 - attacker]):
            deck += [card for card in cards if card not in deck]
    return deck


def test_two_real_dummies_hold_the_recorded_conversation_to_the_letter() -> None:
    recorded = recorded_conversation()
    heard: list[Line] = []
    dummy = read_engine("durak-dummy")
    with Roster() as roster:
        players = [EnginePlayer(dummy, PATIENT, roster) for _ in range(2)]
        play_game(players, deck_of(recorded), listener=lambda *line: heard.append(line))
    assert heard == recorded


@pytest.mark.parametrize("number", range(3))
def test_two_real_dummies_play_a_recorded_game_again(number: int) -> None:
    games = parse_log((DATA / "old-games.log").read_text(encoding="utf-8"))
    recorded = games[number]
    assert isinstance(recorded, GameRecord)
    dummy = read_engine("durak-dummy")
    with Roster() as roster:
        players = [EnginePlayer(dummy, PATIENT, roster) for _ in range(2)]
        game = play_game(players, recorded.deck, recorded.moves[0].attacker).record()
    assert game.result is recorded.result
    assert game.player1_name == recorded.player1_name
    for ours, theirs in zip(game.moves, recorded.moves, strict=True):
        assert ours.moves_and_responds == theirs.moves_and_responds
        assert sorted(ours.given_more) == sorted(theirs.given_more)


def test_processes_and_policies_are_one_to_the_referee() -> None:
    dummy = read_engine("durak-dummy")
    deal = deal_of_pair(seed=3, pair=0)
    with Roster() as roster:
        by_process = play_game(
            [EnginePlayer(dummy, PATIENT, roster) for _ in range(2)], deal.deck, deal.leader
        )
    by_policy = play_game(
        [PolicyPlayer("dummy", lambda: dummy_policy) for _ in range(2)], deal.deck, deal.leader
    )
    assert by_process.state == by_policy.state


@pytest.mark.parametrize("seed", range(20))
def test_an_engine_is_told_no_card_that_it_may_not_know(seed: int) -> None:
    """Every card named to an engine is its own by a deal, lies or lay on the table, or is the open trump."""
    deal = deal_of_pair(seed, 0)
    deal_trump = card_text(deal.deck[-1])
    known: list[set[str]] = [set(), set()]

    def listen(seat: int, direction: str, line: str) -> None:
        if direction == "->":
            for place in (0, 1):
                known[place] |= {card_text(card) for card in read_cards(line)} if line != "ok" else set()
            return
        command, _, rest = line.partition(" ")
        cards, _, data = rest.partition("##")
        named = set(cards.split())
        if command in ("init", "deal"):
            known[seat] |= named
        facts = json.loads(data) if data else {"trump": deal_trump}
        assert set(facts) <= {"discarded", "deck_count", "on_table", "enemy_count", "trump"}
        assert {*named, *facts.get("discarded", ()), *facts.get("on_table", ()), facts["trump"]} <= known[
            seat
        ]

    players = [PolicyPlayer("random", partial(RandomPolicy, seed + place)) for place in (0, 1)]
    play_game(players, deal.deck, deal.leader, listener=listen)


def test_a_policy_sees_its_own_hand_and_not_the_other() -> None:
    deal = deal_of_pair(seed=5, pair=0)
    seen_hands: list[tuple[int, ...]] = []

    def spy(seen: Observation) -> tuple[int, ...]:
        seen_hands.append(seen.hand)
        assert set(seen.hand).isdisjoint(seen.known_enemy)
        return dummy_policy(seen)

    game = play_game(
        (PolicyPlayer("spy", lambda: spy), PolicyPlayer("dummy", lambda: dummy_policy)),
        deal.deck,
        deal.leader,
    )
    assert set(seen_hands[0]) == set(deal.deck[:6])
    assert game.forfeit is None


def cheat(answer: Callable[[Observation], tuple[int, ...]]) -> PolicyPlayer:
    return PolicyPlayer("cheat", lambda: answer)


def test_a_forfeit_names_the_card_the_verdict_and_the_last_lines() -> None:
    deal = deal_of_pair(seed=1, pair=0)
    foreign = deal.deck[6]
    game = play_game(
        (cheat(lambda seen: (foreign,)), PolicyPlayer("dummy", lambda: dummy_policy)), deal.deck, leader=0
    )
    assert game.forfeit is not None
    assert (game.forfeit.seat, game.forfeit.verdict, str(game.result)) == (0, Verdict.ILLEGAL, "0-1")
    assert card_text(foreign) in game.forfeit.reason
    assert game.forfeit.last_lines[-2:] == (game.forfeit.last_lines[-2], f"-> {card_text(foreign)}")
    assert game.forfeit.last_lines[-2].startswith("<- move  ## {")


def test_too_many_cards_thrown_in_are_illegal() -> None:
    def greedy(seen: Observation) -> tuple[int, ...]:
        return seen.hand if seen.phase is Phase.THROW_IN else dummy_policy(seen)

    taker = cheat(lambda seen: () if seen.phase is Phase.DEFEND else dummy_policy(seen))
    game = play_game((cheat(greedy), taker), PACK, leader=0)
    assert game.forfeit is not None
    assert game.forfeit.verdict is Verdict.ILLEGAL


def test_a_forfeited_game_is_recorded_and_replays() -> None:
    deal = deal_of_pair(seed=2, pair=0)
    moves = 0

    def tired(seen: Observation) -> tuple[int, ...]:
        nonlocal moves
        moves += 1
        return deal.deck[:3] if moves > 9 else dummy_policy(seen)

    game = play_game((cheat(tired), PolicyPlayer("dummy", lambda: dummy_policy)), deal.deck, deal.leader)
    record = game.record({"seed": 2})
    assert game.forfeit is not None
    assert game.forfeit.verdict in (Verdict.GARBAGE, Verdict.ILLEGAL)
    assert check_record(record) is None
    assert record.extra["seed"] == 2


class Frail(PolicyPlayer):
    """Takes the very last card of a game instead of beating it, and dies over the deal in which it gets it."""

    deaths = 0

    def __init__(self) -> None:
        super().__init__("frail", lambda: self.answer)

    @staticmethod
    def answer(seen: Observation) -> tuple[int, ...]:
        is_last = seen.phase is Phase.DEFEND and seen.deck_count == seen.enemy_count == 0
        return () if is_last else dummy_policy(seen)

    def confirm(self, line: str) -> str:
        if '"deck_count": 0' in line and '"enemy_count": 0' in line:
            self.deaths += 1
            raise EngineFault(Verdict.CRASH, "ended with status 9")
        return super().confirm(line)


def test_a_decided_game_stays_decided_when_an_engine_dies_over_the_last_deal() -> None:
    frail = Frail()
    for pair in range(20):
        deal = deal_of_pair(seed=4, pair=pair)
        game = play_game((frail, PolicyPlayer("dummy", lambda: dummy_policy)), deal.deck, deal.leader)
        assert game.forfeit is None
        assert game.result is game.state.result
    assert frail.deaths > 0
