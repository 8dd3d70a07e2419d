"""Saved games: JSON with the name of the game and everything that was done, read back by playing it again."""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from croupier.errors import InputError

State = TypeVar("State")


def read_saved_game(text: str, game: str, what: str) -> dict[str, Any]:
    """Read the JSON object of a saved game, or raise an InputError that calls it ``what``.

    >>> read_saved_game('{"game": "chess"}', "durak", "a durak game")
    Traceback (most recent call last):
    croupier.errors.InputError: not a durak game: no "game": "durak" in it
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"not {what}: not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("game") != game:
        raise InputError(f'not {what}: no "game": "{game}" in it')
    return data


def replayed(state: State, entries: Iterable[object], do: Callable[[State, object], State]) -> State:
    """Do saved actions one after the other; the first that does not fit raises its error, with its number.

    >>> replayed(10, [1, 2], lambda number, entry: number + entry)
    13
    """
    for number, entry in enumerate(entries, start=1):
        try:
            state = do(state, entry)
        except InputError as error:
            raise type(error)(f"action {number}: {error}") from None
    return state
