"""Check whether this machine can run the chain."""

from pathlib import Path

from croupier.extras import MissingExtraError

_RUNTIME = (
    "the Solana runtime cannot be loaded ({reason}); "
    "run: pip install --force-reinstall 'solders>=0.29' on Linux or macOS"
)
_PROGRAM = (
    "the compiled program '{path}' is missing; reinstall Croupier, or build it: "
    "pip install 'croupier[solana-build]' and croupier solana build --output {path}"
)


def missing_part(program: Path | None = None) -> str | None:
    """Return one line that says what is missing and how to install it, or None.

    The runtime is a large native library, so it is loaded only when the page is opened.

    Parameters
    ----------
    program
        The path of the compiled program; by default the package's.

    Examples
    --------
    >>> missing_part() is None
    True
    """
    try:
        from croupier.solana.local_chain import LocalChain  # noqa: F401, PLC0415 - checks that it can be imported
        from croupier.solana.toolchain.compiler import PROGRAM_FILE  # noqa: PLC0415 - see above
    except MissingExtraError as error:
        return str(error)
    except ImportError as error:
        return _RUNTIME.format(reason=error)
    path = program or PROGRAM_FILE
    return None if path.is_file() else _PROGRAM.format(path=path)
