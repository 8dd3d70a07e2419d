"""Offline verification: a true record is proven, and every change to it is found and named."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.solana.codes import REVEAL_WINDOW, Result, Status, Tag
from croupier.solana.events import Claimed, Created, Event, Revealed
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.record import GameRecord, RecordError
from croupier.solana.verification import verify_game


@pytest.fixture
def record(finished: LocalGame) -> GameRecord:
    return finished.record()


def altered(record: GameRecord, place: int, **changes: Any) -> GameRecord:
    events = list(record.events)
    events[place] = replace(events[place], **changes)
    return GameRecord(record.program, tuple(events))


def test_a_true_record_is_proven(finished: LocalGame) -> None:
    verification = verify_game(finished.record(), finished.state)
    assert verification.is_fair
    assert verification.game == replace(finished.state, slot=finished.record().events[-1].slot)  # type: ignore[union-attr]
    assert str(verification).splitlines()[-1] == "fair: every card follows from the public data"


def test_a_record_proves_after_the_account_is_gone(finished: LocalGame, tmp_path: Path) -> None:
    finished.cleanup()
    finished.record().save(tmp_path / "game.json")
    assert verify_game(GameRecord.load(tmp_path / "game.json")).is_fair


def test_the_card_that_does_not_fit_is_named(record: GameRecord) -> None:
    dealt = record.events[1]
    assert isinstance(dealt, Revealed)
    wrong = (dealt.drawn[0], (dealt.drawn[1] + 1) % 52, *dealt.drawn[2:])
    verification = verify_game(altered(record, 1, drawn=wrong))
    assert verification.problem is not None
    assert verification.problem.startswith("step 1, card 2: ")
    assert len(verification.steps) == 1


@pytest.mark.parametrize(
    ("place", "changes", "reason"),
    [
        (0, {"player_seed": bytes(32)[:-1] + b"\1"}, "step 1, card"),
        (0, {"chain_tip": bytes(32)}, "not the one that the house committed to"),
        (0, {"decks": 9}, "9 decks"),
        (0, {"number": 10**9}, "game number|lives at"),
        (1, {"preimage": bytes(32)}, "not the one that the house committed to"),
        (1, {"slot_hash": bytes(32)}, "step 1, card"),
        (1, {"drawn": ()}, "0 cards were dealt, but the rules ask for 3"),
        (1, {"status": Status.FINISHED}, "FINISHED and OPEN were logged"),
        (1, {"request": Status.HIT_REQUESTED}, "step 1: hit: NOT_DEALT"),
        (1, {"request": Status.PLAYER_TURN}, "PLAYER_TURN is not a request that the house answers"),
        (2, {"slot": 0}, "comes before"),
        (2, {"result": Result.PLAYER_FORFEIT}, "PLAYER_FORFEIT were logged"),
    ],
)
def test_every_lie_in_a_record_is_found(
    record: GameRecord, place: int, changes: dict[str, Any], reason: str
) -> None:
    problem = verify_game(altered(record, place, **changes)).problem
    assert problem is not None
    assert any(part in problem for part in reason.split("|")), problem


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        (lambda events: (), "empty"),
        (lambda events: events[1:], "does not begin with the game's creation"),
        (lambda events: events[:2], "the game is not over"),
        (lambda events: (events[0], *events), "created a second time"),
        (lambda events: (events[0], events[2]), "NOT_DEALT|NOT PROVEN|stand"),
        (lambda events: (*events, events[2]), "GAME_FINISHED"),
        (lambda events: (events[0], events[1], events[1], events[2]), "ALREADY_DEALT"),
    ],
)
def test_events_that_are_missing_or_repeated_are_found(
    record: GameRecord, alter: Callable[[tuple[Event, ...]], tuple[Event, ...]], reason: str
) -> None:
    problem = verify_game(GameRecord(record.program, alter(record.events))).problem
    assert problem is not None
    assert any(part in problem for part in reason.split("|")), problem


def test_a_record_of_two_games_is_refused(chain: LocalChain, finished: LocalGame) -> None:
    other = LocalGame.open(chain, finished.player, finished.house, secret=b"y" * 32, start_number=500)
    mixed = GameRecord(chain.program, (*finished.record().events, *other.record().events))
    assert "mixes games" in (verify_game(mixed).problem or "")


def test_a_record_of_another_program_is_refused(finished: LocalGame) -> None:
    record = GameRecord(finished.house.pubkey(), finished.record().events)
    assert not verify_game(record).is_fair


def test_an_account_that_differs_from_the_record_is_found(finished: LocalGame) -> None:
    account = replace(finished.state, result=Result.HOUSE_FORFEIT)
    assert "the account differs from the record" in (verify_game(finished.record(), account).problem or "")


def test_a_forfeit_is_proven_and_a_false_one_is_not(in_turn: LocalGame) -> None:
    in_turn.ask(Tag.HIT)
    in_turn.chain.advance(REVEAL_WINDOW + 1)
    in_turn.claim(in_turn.player)
    record = in_turn.record()
    assert verify_game(record, in_turn.state).is_fair
    assert isinstance(record.events[-1], Claimed)
    assert "gives HOUSE_FORFEIT" in (
        verify_game(altered(record, -1, result=Result.PLAYER_FORFEIT)).problem or ""
    )
    assert "gives PLAYER_FORFEIT" in (verify_game(altered(record, -1, request=Status.CREATED)).problem or "")


def test_a_claim_after_the_end_is_found(finished: LocalGame) -> None:
    record = finished.record()
    late = Claimed(Status.FINISHED, Result.PLAYER_FORFEIT, finished.state.slot, finished.address)
    problem = verify_game(GameRecord(record.program, (*record.events, late))).problem
    assert problem == f"step {len(record.events)}: a claim comes after the end of the game"


def test_everything_that_was_checked_is_said(finished: LocalGame) -> None:
    record = finished.record()
    verification = verify_game(record, finished.state)
    opening, *answers = verification.verified
    assert str(finished.address) in opening.checks[1]
    for step, event in zip(answers, record.events[1:], strict=True):
        assert isinstance(event, Revealed)
        assert event.preimage.hex()[:16] in step.checks[0]
        assert event.slot_hash.hex()[:16] in step.checks[1]
    assert verification.end_checks[-1] == "the account on the chain equals the recomputed game"
    assert len(verify_game(record).end_checks) == 1


def test_events_of_other_games_are_left_out_of_a_record(finished: LocalGame) -> None:
    stranger = Created(
        1, 0, finished.player.pubkey(), finished.player.pubkey(), finished.player.pubkey(), b"", b""
    )
    events = (stranger, *finished.record().events)
    assert GameRecord.of_game(finished.chain.program, finished.address, events) == finished.record()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"program": "x", "events": []}', '{"program": 5}', "[" * 5000]
)
def test_a_file_that_is_no_record_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"game\.json': record of a game"):
        GameRecord.load(tmp_path / "game.json")


def test_a_damaged_event_in_a_file_is_named(tmp_path: Path, record: GameRecord) -> None:
    text = record.to_json().replace('"events": [\n    "A', '"events": [\n    "B')
    with pytest.raises(RecordError, match="event"):
        GameRecord.from_json(text)
