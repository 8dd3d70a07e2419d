"""What each option of the table changes."""

from collections.abc import Callable

import pytest

from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import GameState, IllegalMove

Position = Callable[..., GameState]
Play = Callable[[GameState, str], GameState]

ATTACKER = "6C 7C 8C 9C 6S 7S 8S 9S AH"
DEFENDER = "7D 8D 9D TD JD QD KD AD KH"
FIVE_BEATEN = "6C, 7D, 7C, 8D, 8C, 9D, 9C, TD, 6S, JD"


def attacked(position: Position, play: Play, *, bout: int, script: str, **options: bool) -> GameState:
    return play(position(ATTACKER, DEFENDER, stock="TS JS QS 6D", bout=bout, **options), script)


def test_an_attack_has_no_cap_in_protocol_mode(position: Position, play: Play) -> None:
    state = attacked(position, play, bout=1, script=f"{FIVE_BEATEN}, 7S, QD, 8S, KD")
    assert (state.phase, state.bout) == (Phase.ATTACK, 1)


def test_the_sixth_beaten_card_ends_the_bout_under_the_six_card_cap(position: Position, play: Play) -> None:
    options = {"six_card_cap": True}
    state = attacked(position, play, bout=2, script=FIVE_BEATEN, **options)
    assert (state.phase, state.bout) == (Phase.ATTACK, 2)
    state = play(state, "7S, QD")
    assert (state.bout, state.attacker) == (3, 1)


def test_the_fifth_beaten_card_ends_the_first_bout_under_the_five_card_option(
    position: Position, play: Play
) -> None:
    options = {"five_card_first_bout": True}
    assert attacked(position, play, bout=1, script=FIVE_BEATEN, **options).bout == 2
    assert attacked(position, play, bout=2, script=FIVE_BEATEN, **options).bout == 2


def test_thrown_in_cards_count_towards_the_cap(position: Position, play: Play) -> None:
    script = "6C, 7D, 7C, 8D, 8C, 9D, 9C, TD, 6S, -"
    capped = attacked(position, play, bout=2, script=script, six_card_cap=True)
    assert capped.throw_in_limit == 1
    with pytest.raises(IllegalMove, match="at most 1 may be added"):
        play(capped, "7S 8S")
    assert attacked(position, play, bout=2, script=script).throw_in_limit == 4


def test_the_attacker_is_asked_for_more_when_the_cap_allows_nothing(position: Position, play: Play) -> None:
    script = "6C, 7D, 7C, 8D, 8C, 9D, 9C, TD, 6S, -"
    state = attacked(position, play, bout=1, script=script, five_card_first_bout=True)
    assert (state.phase, state.throw_in_limit) == (Phase.THROW_IN, 0)


def test_the_first_presets_are_the_protocol_and_the_table() -> None:
    assert [preset.name for preset in DURAK.presets[:2]] == ["protocol", "table"]
    caps = [[preset.rules.attack_cap(bout) for bout in (1, 2)] for preset in DURAK.presets[:2]]
    assert caps == [[36, 36], [5, 6]]
