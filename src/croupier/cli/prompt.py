"""Questions to a person at a terminal table: every answer is understood or asked for again."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from rich.console import Console

from croupier.choices import Choice

Answer = TypeVar("Answer")


class Left(Exception):  # noqa: N818 - not an error: the person leaves the table
    """The person has left the table."""


class Prompt:
    """Asks for words, choices and numbers; ``quit`` and ``history`` are understood everywhere."""

    def __init__(self, console: Console, show_history: Callable[[], None]) -> None:
        self._console = console
        self._show_history = show_history

    def ask(self, question: str) -> str:
        """Return an answer in lower case, without needless spaces.

        Raises
        ------
        Left
            If the answer is ``quit``.
        """
        while True:
            try:
                line = self._console.input(f"{question} > ")
            except UnicodeDecodeError:
                line = "?"  # bytes that are no text: no answer that fits anything, so the question is asked again
            answer = " ".join(line.lower().split())
            if answer in ("q", "quit"):
                raise Left
            if answer != "history":
                return answer
            self._show_history()

    def enter(self, question: str) -> None:
        """Wait for Enter."""
        while (answer := self.ask(question)) != "":
            self._refuse(answer, "press Enter, or type history or quit")

    def choose(self, choices: Mapping[str, Answer]) -> Answer:
        """Return one of the choices, named by its word or the beginning of it."""
        question = ", ".join(f"[b]{word[0]}[/b]{word[1:]}" for word in choices)
        return self._named(question, choices, choices)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """Return one of a table's choices, named by its key, its name, or the beginning of its label."""
        labels = {choice.label.lower(): choice for choice in choices}
        keys = {choice.key: choice for choice in choices} | {choice.name: choice for choice in choices}
        question = ", ".join(_marked(label, choice.key) for label, choice in labels.items())
        return self._named(question, labels, keys)

    def number(self, question: str, usual: float, lowest: float, highest: float) -> float:
        """Return a number between two bounds; Enter takes the usual one."""
        allowed = f"type a number from {lowest:g} to {highest:g}."
        while True:
            answer = self.ask(f"{question} ([b]Enter[/b] = {usual:g}, at most {highest:g})")
            try:
                number = float(answer) if answer else usual
            except ValueError:
                self._console.print(f"'{answer}' is not a bet; {allowed}", markup=False)
                continue
            if lowest <= number <= highest:
                return number
            self._console.print(f"{number:g} is not possible; {allowed}", markup=False)

    def _named(self, question: str, labels: Mapping[str, Answer], keys: Mapping[str, Answer]) -> Answer:
        """Ask until the answer is a key, or begins exactly one label."""
        while True:
            answer = self.ask(question)
            if answer in keys:
                return keys[answer]
            fitting = [choice for label, choice in labels.items() if answer and label.startswith(answer)]
            if len(fitting) == 1:
                return fitting[0]
            self._refuse(answer, f"type one of: {', '.join(labels)}")

    def _refuse(self, answer: str, right: str) -> None:
        self._console.print(f"'{answer}' is not possible here; {right}.", markup=False)


def _marked(label: str, key: str) -> str:
    """Mark the key in a label, or its first letter where the key is not in it.

    >>> _marked("split", "p"), _marked("even money", "i")
    ('s[b]p[/b]lit', '[b]e[/b]ven money')
    """
    at = max(label.find(key), 0)
    return f"{label[:at]}[b]{label[at]}[/b]{label[at + 1 :]}"
