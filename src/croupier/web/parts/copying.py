"""A button that copies the address of the page."""

from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts

#: Copies the address; without a clipboard it is shown to be copied.
_COPY = """async (event) => {
  try { await navigator.clipboard.writeText(location.href); event.target.textContent = event.target.dataset.copied; }
  catch { window.prompt(event.target.dataset.link, location.href); }
}"""


def copy_button() -> None:
    """Put a button on the page that copies its address, which holds what it shows."""
    texts = page_texts()
    tag(
        "button",
        texts("explorer.share"),
        "plain-button",
        type="button",
        data_testid="share",
        data_copied=texts("explorer.copied"),
        data_link=texts("explorer.link"),
    ).on("click", js_handler=_COPY)
