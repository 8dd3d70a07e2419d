"""The base of everything that Croupier writes as JSON: closed to unknown keys, each key explained, none left out."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import GenerateJsonSchema

#: The up-cards of blackjack, as keys.
UpCard = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]


class Document(BaseModel):
    """A JSON object. Its docstring and those of its attributes are the descriptions in the schema."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, populate_by_name=True)


class Output(Document):
    """What a command prints with ``--json``."""

    version: str
    """The version of Croupier that printed this."""


class _Strict(GenerateJsonSchema):
    """Writes schemas of what is printed: a key that has a default is printed as well, so it is required."""

    def field_is_required(self, *_: Any, **__: Any) -> bool:
        """Require every key; a model with keys that may be missing says so itself."""
        return True

    def field_title_should_be_set(self, *_: Any, **__: Any) -> bool:
        """Leave out titles, which would only repeat the keys."""
        return False


def schema_of_model(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a model.

    Examples
    --------
    >>> class Point(Document):
    ...     across: float
    >>> schema = schema_of_model(Point)
    >>> schema["required"], schema["properties"], schema["additionalProperties"]
    (['across'], {'across': {'type': 'number'}}, False)
    """
    schema = model.model_json_schema(schema_generator=_Strict, mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        if "description" in part:  # a docstring: its examples are for readers of the source
            part["description"] = " ".join(part["description"].split("\n\nExamples")[0].split())
    return {"$schema": _Strict.schema_dialect, **schema}
