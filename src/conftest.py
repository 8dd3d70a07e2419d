"""Leaves out the doctests of modules whose extra is not installed for development."""

from importlib.util import find_spec

_NEED_TORCH = ("networks", "reinforcement", "tensor_games")

collect_ignore = [] if find_spec("torch") else [f"croupier/durak/training/{name}.py" for name in _NEED_TORCH]
