"""Saved tables: closed models of plain JSON, and one line about what does not fit."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, ValidationError

from croupier.errors import InputError
from croupier.texts import Figure, Phrase, figure, say


def write_text(text: Any) -> Any:
    """Write a text as plain JSON; a phrase keeps its key and values, so that it can still be said in another language.

    >>> write_text(say("durak.game", number=3)), write_text("7C")
    ({'key': 'durak.game', 'values': {'number': 3}}, '7C')
    """
    if isinstance(text, Phrase):
        return {"key": text.key, "values": {name: write_text(value) for name, value in text.values.items()}}
    if isinstance(text, Figure):
        return {"value": text.value, "spec": text.spec}
    return text if isinstance(text, int | float) else str(text)


def _read_value(saved: Any) -> Any:
    match saved:
        case {"key": str(key), "values": dict(values)}:
            try:
                return say(key, **{str(name): _read_value(value) for name, value in values.items()})
            except KeyError:
                raise ValueError(f"there is no text '{key}' with these values") from None
        case {"value": int(number) | float(number), "spec": str(spec)}:
            return figure(number, spec)
        case str() | int() | float():
            return saved
        case _:
            raise ValueError("it is no text")


def _read_text(saved: Any) -> str:
    text = _read_value(saved)
    if not isinstance(text, str):
        raise ValueError("it is no text")  # noqa: TRY004 - pydantic asks for it
    return text


#: A text in saved data: a string, or a phrase that can be said in another language.
SavedText = Annotated[str, PlainValidator(_read_text), PlainSerializer(write_text)]


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
