"""The examples of the pages are tests; pages with pictures are run by the build of the site (tests/docs/test_site.py)."""

from pathlib import Path

collect_ignore = [
    str(page)
    for page in Path(__file__).parent.rglob("*.md")
    if ">>> display(" in page.read_text(encoding="utf-8")
]
