"""Groups of commands, and options that always come together, as one parameter of a command.

A group of options is a function: its parameters are the options, and what it returns is the command's argument.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, get_args

import typer
from typer.models import CommandFunctionType

from croupier.extras import needs

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Marks a parameter of a command, in ``Annotated``, as the result of a function of several options."""

    build: Callable[..., Any]


def grouped(command: Callable[..., R]) -> Callable[..., R]:
    """Replace each parameter that is an :class:`OptionGroup` by the options of its group, in its place.

    Examples
    --------
    >>> from typing import Annotated
    >>> def sum_of(left: int = 1, right: int = 2) -> int:
    ...     return left + right
    >>> @grouped
    ... def show(*, total: Annotated[int, OptionGroup(sum_of)], unit: str = "cm") -> str:
    ...     return f"{total} {unit}"
    >>> list(inspect.signature(show).parameters)
    ['left', 'right', 'unit']
    >>> show(right=5)
    '6 cm'
    """
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        group = next((mark for mark in get_args(parameter.annotation) if isinstance(mark, OptionGroup)), None)
        if group is None:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        build = grouped(group.build)
        options = list(inspect.signature(build).parameters.values())
        groups[name] = build, [option.name for option in options]
        parameters += options

    @wraps(command)
    def call(**given: Any) -> R:
        built = {
            name: build(**{option: given.pop(option) for option in options if option in given})
            for name, (build, options) in groups.items()
        }
        return command(**given, **built)

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def help_without_command(context: typer.Context) -> None:
    """Print the help of a group of commands that was called without one of them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


class Commands(typer.Typer):
    """Commands whose parameters may be groups of options; called without one of them, they print their help.

    Parameters
    ----------
    meaning, epilog
        What they are, for the help; an example.
    extra
        The extra that all of them need; their help is shown without it.
    """

    def __init__(self, meaning: str, *, epilog: str, extra: str | None = None) -> None:
        super().__init__(epilog=epilog)
        self.callback(invoke_without_command=True, help=meaning)(help_without_command)
        self._extra = extra

    def command(self, *names: Any, **settings: Any) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Register a command, as in Typer, with the options of its groups."""
        register = super().command(*names, **settings)

        def add(function: CommandFunctionType) -> CommandFunctionType:
            command = grouped(function)

            @wraps(command)
            def call(**given: Any) -> Any:
                if self._extra is not None:
                    needs(self._extra)
                return command(**given)

            register(call)
            return function

        return add
