"""Events in logs: the program's own are found, those of other programs are ignored."""

import base64

import pytest
from solders.pubkey import Pubkey

from croupier.solana.codes import Result, Status, Tag
from croupier.solana.events import Claimed, Created, Revealed, encode_event, events_in_logs
from croupier.solana.layout import LayoutError
from croupier.solana.local_game import LocalGame

OURS, OTHER = Pubkey(bytes([7] * 32)), Pubkey(bytes([8] * 32))
EVENT = Claimed(Status.CREATED, Result.PLAYER_FORFEIT, 5, OTHER)
LINE = f"Program data: {base64.b64encode(encode_event(EVENT)).decode()}"


def test_a_game_logs_its_creation_and_every_answer(in_turn: LocalGame) -> None:
    in_turn.ask(Tag.STAND)
    in_turn.answer()
    created, dealt, ended = in_turn.record().events
    assert isinstance(created, Created)
    assert isinstance(dealt, Revealed)
    assert isinstance(ended, Revealed)
    assert (created.player, created.house) == (in_turn.player.pubkey(), in_turn.house.pubkey())
    assert (created.number, created.chain_tip) == (in_turn.number, in_turn.links[-1])
    state = in_turn.state
    assert dealt.drawn == (*state.player_cards, state.dealer_cards[0])
    assert ended.drawn == state.dealer_cards[1:]
    assert (ended.request, ended.status, ended.result) == (
        Status.STAND_REQUESTED,
        Status.FINISHED,
        state.result,
    )
    assert dealt.preimage == in_turn.links[-2]
    assert dealt.slot_hash == in_turn.chain.slot_hash(dealt.slot)


def test_events_that_another_program_logs_are_not_ours() -> None:
    logs = [f"Program {OTHER} invoke [1]", LINE, f"Program {OTHER} success"]
    assert list(events_in_logs(logs, OURS)) == []


def test_events_that_our_program_logs_under_another_count() -> None:
    logs = [
        f"Program {OTHER} invoke [1]",
        LINE,
        f"Program {OURS} invoke [2]",
        LINE,
        f"Program {OURS} consumed 9 of 200000 compute units",
        f"Program {OURS} success",
        LINE,
        f"Program {OTHER} success",
    ]
    assert list(events_in_logs(logs, OURS)) == [EVENT]


def test_events_that_a_program_logs_when_ours_calls_it_are_not_ours() -> None:
    logs = [
        f"Program {OURS} invoke [1]",
        f"Program {OTHER} invoke [2]",
        LINE,
        f"Program {OTHER} success",
        LINE,
        f"Program {OURS} success",
    ]
    assert list(events_in_logs(logs, OURS)) == [EVENT]


def test_a_text_that_looks_like_a_log_line_does_not_confuse() -> None:
    """A program can log any text, but the runtime puts "Program log: " before it."""
    logs = [f"Program {OTHER} invoke [1]", f"Program log: Program {OURS} invoke [2]", LINE]
    assert list(events_in_logs(logs, OURS)) == []


@pytest.mark.parametrize("line", ["Program data: !!!", "Program data: AAAA", "Program data: "])
def test_bytes_that_are_no_event_are_refused(line: str) -> None:
    with pytest.raises(LayoutError, match="event"):
        list(events_in_logs([f"Program {OURS} invoke [1]", line], OURS))
