"""Rules as data: one frozen, validated record per game, from a preset, a TOML file and settings.

A game declares its options as the fields of a :class:`Rules` subclass, each with a description, and gathers its presets in a
:class:`RuleBook`. Reading files and settings, error messages, and the table that ``croupier rules`` prints are shared.
"""

from croupier.rulebook.book import Preset, RuleBook, RulesT
from croupier.rulebook.errors import RulesError
from croupier.rulebook.model import Option, Rules
from croupier.rulebook.settings import as_toml, parse_setting

__all__ = ["Option", "Preset", "RuleBook", "Rules", "RulesError", "RulesT", "as_toml", "parse_setting"]
