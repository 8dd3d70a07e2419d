"""``docs/json.md`` is written from the schemas, so it names every key of every output."""

from collections.abc import Callable, Iterator
from typing import Any

from croupier.schemas import FILES, OUTPUTS, schema_of

INTRODUCTION = """\
# JSON

Written from the schemas in `croupier.schemas`; `croupier schema banluck solve` prints one.

A command with `--json` prints one JSON object on one line. A key is always there, and `null` where it does not apply, unless its text
says otherwise. Later versions may add keys, but do not rename them. Values and results are the player's, in units of the bet, unless the
text says otherwise. Probabilities and shares go from 0 to 1. Times are in seconds.

In the tables, `a.b` is the key `b` of the object `a`, `a[].b` is the key `b` of every entry of the list `a`, and `a.*` stands for any
key of `a`.
"""
RULES = {"BanluckRules": "banluck", "BlackjackRules": "blackjack", "DurakRules": "durak"}


class Page:
    """Writes the schema of one object as a table."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._schema = schema_of(name)

    def text(self) -> str:
        link = f'<a href="schemas/{self._name.replace(" ", "-")}.json">JSON Schema</a>'  # docs/extensions/schema_files.py
        lines = [f"### {self._name}", "", f"{self._schema['description']} {link}", ""]
        lines += ["| key | type | meaning |", "|---|---|---|"]
        if "properties" in self._schema:
            lines += self._rows("", self._schema)
        else:
            lines += [f"| {' | '.join(row)} |" for row in self._parts("", self._schema)]
        return "\n".join([*lines, ""])

    def _rows(self, path: str, schema: dict[str, Any]) -> Iterator[str]:
        for key, entry in schema["properties"].items():
            place = f"{path}{key}"
            meaning = entry.get("description") or self._resolved(entry)["description"]
            if entry.get("deprecated"):
                meaning = f"Deprecated. {meaning}"
            if key not in schema.get("required", ()):
                meaning = f"{meaning} Not always there."
            yield f"| `{place}` | {self._type(entry)} | {meaning} |"
            if not entry.get("deprecated"):
                yield from (f"| {' | '.join(row)} |" for row in self._parts(place, entry))

    def _parts(self, path: str, entry: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Walk into what an entry is made of, as far as it has keys of its own; rules have a section of their own."""
        for choice in entry.get("anyOf", [entry]):
            found = self._resolved(choice)
            if self._rules_of(choice):
                continue
            if found.get("type") == "array":
                yield from self._parts(f"{path}[]", found.get("items", {}))
            elif "properties" in found:
                for row in self._rows(f"{path}.", found):
                    place, kind, meaning = row.removeprefix("| ").removesuffix(" |").split(" | ", 2)
                    yield place, kind, meaning
            elif isinstance(found.get("additionalProperties"), dict):
                yield from self._map(path, found)

    def _map(self, path: str, found: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
        names = self._resolved(found.get("propertyNames", {}))
        keys = ", ".join(f"`{name}`" for name in names.get("enum", ())) or "any name"
        inner = found["additionalProperties"]
        place = f"{path}.*".removeprefix(".")
        yield f"`{place}`", self._type(inner), f"Keys: {keys}."
        yield from self._parts(place, inner)

    def _resolved(self, entry: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in entry:
            return entry
        definition: dict[str, Any] = self._schema["$defs"][entry["$ref"].removeprefix("#/$defs/")]
        return definition

    def _rules_of(self, entry: dict[str, Any]) -> str | None:
        return RULES.get(entry.get("$ref", "").removeprefix("#/$defs/"))

    def _type(self, entry: dict[str, Any]) -> str:
        if "anyOf" in entry:
            return " or ".join(self._type(choice) for choice in entry["anyOf"])
        game = self._rules_of(entry)
        if game is not None:
            return f"[rules](#rules-{game})"
        found = self._resolved(entry)
        if "enum" in found:
            return ", ".join(f"`{value}`" for value in found["enum"])
        if "const" in found:
            return f"`{found['const']}`"
        if found.get("type") == "array" and "items" in found:
            return f"list of {self._type(found['items'])}"
        return str(found.get("type", "anything"))


def test_the_page_of_json_is_what_the_schemas_say(compare_with_golden: Callable[[str, str], None]) -> None:
    outputs = "## What commands print with `--json`\n\n" + "\n".join(Page(name).text() for name in OUTPUTS)
    files = "## JSON that people keep\n\n" + "\n".join(Page(name).text() for name in FILES)
    compare_with_golden("../../docs/json.md", f"{INTRODUCTION}\n{outputs}\n{files}")
