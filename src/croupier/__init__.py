"""Croupier: card games played, solved, simulated and explained."""

from importlib.metadata import version

__version__ = version("croupier")
