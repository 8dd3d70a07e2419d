"""Saved tables: closed models of plain JSON, and one line about what does not fit."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from croupier.errors import InputError


class Saved(BaseModel):
    """Base of everything that a table saves: frozen, strict, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


SavedT = TypeVar("SavedT", bound=Saved)


def read_saved(model: type[SavedT], state: Mapping[str, Any], what: str) -> SavedT:
    """Read saved data, or raise an InputError that begins with ``what`` and names the first place that does not fit.

    >>> class Score(Saved):
    ...     won: int
    >>> read_saved(Score, {"won": "three"}, "saved score")
    Traceback (most recent call last):
    croupier.errors.InputError: saved score: won: Input should be a valid integer
    """
    try:
        return model.model_validate_json(json.dumps(dict(state)))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise InputError(f"{what}: {place}: {problem['msg']}") from None
