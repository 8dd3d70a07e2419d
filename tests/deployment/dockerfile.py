"""What the Dockerfile and compose.yaml say."""

import json
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


def instructions() -> list[tuple[str, str]]:
    """Return every instruction of the Dockerfile with its words."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, words.strip()) for name, _, words in (line.partition(" ") for line in lines)]


def last(name: str) -> str:
    """Return the words of the last instruction of a kind: the one that holds."""
    return [words for kind, words in instructions() if kind == name][-1]


def start_command() -> list[str]:
    """Return the command that the container runs."""
    command: list[str] = json.loads(last("CMD"))
    return command


def health_command() -> list[str]:
    """Return the command of the health check."""
    command: list[str] = json.loads(last("HEALTHCHECK").partition(" CMD ")[2])
    return command


def compose() -> dict[str, Any]:
    """Return compose.yaml."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    services: dict[str, Any] = yaml.safe_load(text)["services"]
    return services
