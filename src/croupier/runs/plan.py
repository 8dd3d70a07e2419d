"""What a saved run consists of: defined once per kind, for the command line, the web app and programs."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from croupier.rulebook import Rules
    from croupier.runs.run import Run


class Plan(ABC):
    """Everything that decides what a run computes. A subclass is a frozen dataclass with fields ``rules`` and ``seed``."""

    __slots__ = ()

    #: What the store calls runs of this kind: the command that makes them.
    kind: ClassVar[str]

    if TYPE_CHECKING:  # a subclass brings them as fields

        @property
        def rules(self) -> "Rules":
            """The rules."""

        @property
        def seed(self) -> int:
            """What is drawn."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return what a saved run keeps beside rules and seed."""

    @classmethod
    @abstractmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
