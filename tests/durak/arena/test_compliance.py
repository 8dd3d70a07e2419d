from collections.abc import Callable

import pytest

from croupier.durak.arena.compliance import Finding, Grade, check_engine
from croupier.durak.arena.engine_spec import EngineSpec, Limits

Animal = Callable[..., EngineSpec]
PATIENT = Limits(start=120, answer=120)


def wrong(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.grade is Grade.WRONG]


def test_a_tame_engine_is_found_right_in_everything(animal: Animal) -> None:
    findings = list(check_engine(animal("tame.py"), PATIENT, rounds=1))
    assert {finding.grade for finding in findings} == {Grade.RIGHT}
    situations = next(finding.detail for finding in findings if finding.trial == "situations met")
    for situation in ("leads", "additions", "defences", "throw-ins", "deals without cards", "game ends 8"):
        assert situation in situations


def test_an_engine_that_stays_alive_is_tried_in_that_too(animal: Animal) -> None:
    findings = list(check_engine(animal("tame.py").staying_alive(), PATIENT, rounds=1))
    assert "stays alive for the next game" in [finding.trial for finding in findings]
    assert wrong(findings) == []


def test_one_that_does_not_stay_alive_though_declared_is_found_out(animal: Animal) -> None:
    mortal = EngineSpec(
        animal("tame.py").command, "mortal", environment={"DURAK_KEEP_ALIVE": "0"}, keep_alive=True
    )
    (finding,) = wrong(list(check_engine(mortal, PATIENT, rounds=1)))
    assert finding.trial == "stays alive for the next game"


@pytest.mark.parametrize(
    ("name", "trial", "detail", "advice"),
    [
        ("prompt", "confirms init", "'> ok'", "nothing else on the line"),
        ("banner", "confirms init", "MegaDurak", "one line an answer"),
        ("dies_at_start", "confirms init", "status 3", "until game_end"),
        ("no_ok_to_deal", "confirms deals", "answered ''", "answered with ok"),
        ("answers_before_asked", "confirms deals", "went on", "none without a command"),
        ("lower_case", "plays against", "lower case", "upper case"),
        ("liar", "plays against", "illegal card", "keep the hand up to date"),
        ("passes_at_lead", "plays against", "illegal card", "keep the hand"),
        ("not_utf8", "plays against", "not UTF-8", "ASCII"),
        ("raises", "plays against", "crash", "stderr"),
    ],
)
def test_the_author_is_told_what_is_wrong(
    animal: Animal, name: str, trial: str, detail: str, advice: str
) -> None:
    findings = wrong(list(check_engine(animal(name), PATIENT, rounds=1)))
    assert findings
    assert trial in findings[0].trial
    assert detail in findings[0].detail
    assert advice in findings[0].advice
    assert findings[0].lines[0].startswith("<- ")


def test_a_traceback_is_shown_to_the_author(animal: Animal) -> None:
    (first, *_) = wrong(list(check_engine(animal("raises"), PATIENT, rounds=1)))
    assert "stderr: IndexError: no such card in my hand" in first.lines


@pytest.mark.parametrize(
    ("name", "clue"),
    [
        ("silent", "no answer within 0.4 s"),
        ("buffered", "'ok' came when its input was closed: not flushed"),
        ("no_line_end", "'ok'"),
    ],
)
def test_an_engine_that_does_not_flush_is_told_to(animal: Animal, name: str, clue: str) -> None:
    (finding,) = check_engine(animal(name, start_limit=0.4), PATIENT)
    assert finding.grade is Grade.WRONG
    assert "slow start" in finding.detail
    assert clue in finding.detail
    assert "flush" in finding.advice


def test_bad_manners_at_the_end_are_doubtful_but_not_wrong(animal: Animal) -> None:
    findings = list(check_engine(animal("stays_after_the_game"), PATIENT, rounds=1))
    assert wrong(findings) == []
    doubtful = [finding.trial for finding in findings if finding.grade is Grade.DOUBTFUL]
    assert doubtful == ["ends after game_end"]


def test_evidence_is_shown_once_for_a_kind_of_fault(animal: Animal) -> None:
    findings = wrong(list(check_engine(animal("lower_case"), PATIENT, rounds=1)))
    assert len(findings) == 4
    assert [bool(finding.lines) for finding in findings] == [True, False, False, False]
