"""Put the JSON schemas of every output and file on the site, under ``schemas/``."""

import json
from pathlib import Path

from sphinx.application import Sphinx

from croupier.schemas import FILES, OUTPUTS, schema_of


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to write them."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    folder = Path(app.outdir) / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*OUTPUTS, *FILES):
        path = folder / f"{name.replace(' ', '-')}.json"  # docs/json.md links to it
        path.write_text(json.dumps(schema_of(name), indent=2), encoding="utf-8")
