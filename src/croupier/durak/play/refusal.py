"""What a durak page refuses, in the language of whoever reads it."""

from croupier.errors import InputError
from croupier.texts import DEFAULT_LANGUAGE, Texts


class DurakRefusal(InputError):  # noqa: N818 - what it is: a refusal
    """An operation that cannot be done; the text is named by its key, so that a page can say it in its own language.

    Examples
    --------
    >>> refusal = DurakRefusal("durak.refused.too_large", limit=5)
    >>> str(refusal)
    'The log is larger than 5 MB.'
    >>> refusal.said_in(Texts("ru"))
    'Файл журнала больше 5 МБ.'
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        super().__init__(self.said_in(Texts(DEFAULT_LANGUAGE)))

    def said_in(self, texts: Texts) -> str:
        """Return the text in a language."""
        return texts(self.key, **self.values)
