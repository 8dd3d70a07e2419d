"""The pages: thin, over the models."""

from croupier.web.lab import WebLab
from croupier.web.pages import home


def register_all(lab: WebLab) -> None:
    """Put every page on its address."""
    for page in (home,):
        page.register(lab)
