"""Whether this machine can run the chain, and what it lacks if it cannot."""

from pathlib import Path

_RUNTIME = (
    "the Solana runtime is not on this machine ({reason}); "
    "run: pip install --force-reinstall 'solders>=0.29' on Linux or macOS"
)
_PROGRAM = (
    "the compiled program '{path}' is missing; reinstall Croupier, or build it: "
    "pip install 'croupier[solana-build]' and croupier solana build --output {path}"
)


def missing_part(program: Path | None = None) -> str | None:
    """Say in one line what is missing and how it is put there; None if nothing is.

    The runtime is a large native library, so it is loaded when somebody asks for the page and not before.

    Parameters
    ----------
    program
        Where the compiled program is; that of the package without it.

    Examples
    --------
    >>> missing_part() is None
    True
    """
    try:
        from croupier.solana.local_chain import LocalChain  # noqa: F401, PLC0415 - it is there if it can be imported
        from croupier.solana.toolchain.compiler import PROGRAM_FILE  # noqa: PLC0415 - see above
    except ImportError as error:
        return _RUNTIME.format(reason=error)
    path = program or PROGRAM_FILE
    return None if path.is_file() else _PROGRAM.format(path=path)
