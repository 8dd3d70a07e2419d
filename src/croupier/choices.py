"""What a person can choose at a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that a person can do now.

    Attributes
    ----------
    name
        Its stable name, such as ``hit``.
    label
        What the button says.
    key
        The key that does the same: one character in lower case, or a name such as ``Enter``. No two choices share one.
    enabled
        Whether it can be done.
    worth
        The coach's figure, if the coach speaks.
    is_best
        Whether the coach would choose it.

    Examples
    --------
    >>> Choice("hit", "Hit", "h").enabled
    True
    """

    name: str
    label: str
    key: str
    enabled: bool = True
    worth: str = ""
    is_best: bool = False
