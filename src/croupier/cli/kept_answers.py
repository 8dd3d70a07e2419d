"""Answers of the exact solvers, kept in the cache folder: a card that was drawn before is drawn again at once.

An answer is found again by its question, the version, and the source of what computes it.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import croupier
from croupier.files import write_text
from croupier.folders import cache_folders, writable_cache

_PACKAGE = Path(croupier.__file__).parent

#: What the answers of blackjack's solvers depend on.
_SOURCES = ("numerics", "rulebook", "cards", "blackjack/engine", "blackjack/solvers", "blackjack/counting")

#: So many answers are kept, the last ones.
_KEPT = 200


def kept_answer(question: Mapping[str, Any], compute: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return an answer that was kept, or compute it and keep it.

    Parameters
    ----------
    question
        All that the answer depends on, besides the source, as plain values.
    compute
        Gives the answer as plain values.

    Examples
    --------
    >>> kept_answer({"what": "sum", "of": [2, 3]}, lambda: {"sum": 2 + 3})
    {'sum': 5}
    >>> kept_answer({"what": "sum", "of": [2, 3]}, lambda: {"sum": "is not asked again"})
    {'sum': 5}
    """
    written = json.dumps([croupier.__version__, _source_digest(), question], sort_keys=True)
    name = f"{sha256(written.encode()).hexdigest()}.json"
    for folder in cache_folders():
        file = folder / "answers" / name
        if file.is_file() and (answer := _read(file)) is not None:
            return answer
    computed = compute()
    folder = writable_cache() / "answers"
    folder.mkdir(exist_ok=True)
    write_text(folder / name, json.dumps(computed), what="kept answer")
    for outdated in sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)[:-_KEPT]:
        outdated.unlink(missing_ok=True)
    return computed


def _read(file: Path) -> dict[str, Any] | None:
    """Return what a file holds, None if it is damaged: then the answer is computed anew and written over it."""
    try:
        answer: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return answer


@cache
def _source_digest() -> str:
    """Return a digest of the source that computes answers, so that a change of it is not answered from before."""
    digest = sha256()
    for source in _SOURCES:
        for file in sorted((_PACKAGE / source).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
