"""Croupier: card games played, solved, simulated and explained."""


def __getattr__(name: str) -> str:
    """Look the version up when it is asked for: that takes longer than an engine process needs to start."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("croupier")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
