"""Answers are kept by their question and by the source that computes them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier import folders
from croupier.cli import kept_answers
from croupier.cli.kept_answers import kept_answer

Counted = Callable[[], dict[str, int]]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    forgotten = (folders._chosen_folder, folders.writable_cache, kept_answers._source_digest)
    for function in forgotten:
        function.cache_clear()
    yield tmp_path / "cache" / "answers"
    for function in forgotten:
        function.cache_clear()


@pytest.fixture
def counted() -> Counted:
    """Answer with how often it was asked."""
    asked: list[None] = []

    def answer() -> dict[str, int]:
        asked.append(None)
        return {"asked": len(asked)}

    return answer


def test_a_question_is_computed_once(counted: Counted) -> None:
    assert [kept_answer({"of": 1}, counted)["asked"] for _ in range(3)] == [1, 1, 1]
    assert kept_answer({"of": 2}, counted) == {"asked": 2}


def test_a_change_of_the_source_is_computed_anew(
    counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "_PACKAGE", tmp_path)
    source = tmp_path / "cards" / "deck.py"
    source.parent.mkdir()
    for number, text in enumerate(("a = 1", "a = 2"), start=1):
        source.write_text(text, encoding="utf-8")
        kept_answers._source_digest.cache_clear()
        assert kept_answer({"of": 1}, counted) == {"asked": number}


def test_a_damaged_answer_is_computed_anew(counted: Counted, cache: Path) -> None:
    kept_answer({"of": 1}, counted)
    (kept,) = cache.iterdir()
    kept.write_text("{", encoding="utf-8")
    assert kept_answer({"of": 1}, counted) == kept_answer({"of": 1}, counted) == {"asked": 2}


def test_only_so_many_answers_are_kept(
    counted: Counted, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "_KEPT", 2)
    for number in range(4):
        kept_answer({"of": number}, counted)
    assert len(list(cache.iterdir())) == 2
