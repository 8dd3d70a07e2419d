"""What a durak page refuses, in the language of whoever reads it."""

from croupier.errors import InputError
from croupier.texts import say


class DurakRefusal(InputError):  # noqa: N818 - what it is: a refusal
    """An operation that cannot be done; the text is named by its key, so that a page can say it in its own language.

    Examples
    --------
    >>> refusal = DurakRefusal("durak.refused.too_large", limit=5)
    >>> str(refusal)
    'The log is larger than 5 MB.'
    >>> from croupier.texts import Texts
    >>> Texts("ru").shown(refusal.said)
    'Файл журнала больше 5 МБ.'
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(say(key, **values))
