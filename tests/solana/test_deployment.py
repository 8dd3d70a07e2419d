"""The program file: rebuilt from its source byte for byte, and accepted by the real loader."""

import importlib.util
from pathlib import Path

import pytest

from croupier.solana.codes import Status, Tag
from croupier.solana.failures import TransactionError
from croupier.solana.loader import LOADER, program_data_address
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import (
    PROGRAM_SOURCE,
    BuildError,
    build_program,
    compile_object,
    delivered_programs,
    read_program,
)
from croupier.solana.toolchain.linker import SbpfVersion, link
from croupier.solana.toolchain.syscalls import SYSCALLS

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="the compiler (ziglang) is not installed"
)


@needs_compiler
@pytest.mark.parametrize("version", [0, 3])
def test_the_programs_in_the_repository_are_their_source_byte_for_byte(version: SbpfVersion) -> None:
    assert build_program(version=version) == read_program(version)


@needs_compiler
def test_a_build_depends_on_nothing_but_the_source(tmp_path: Path) -> None:
    """Building in another folder gives the same bytes: they contain no path and no date."""
    for file in PROGRAM_SOURCE.parent.glob("*.[ch]"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert build_program(tmp_path / PROGRAM_SOURCE.name) == read_program()


def test_the_program_is_sbpf_version_3_and_small() -> None:
    program = read_program()
    assert int.from_bytes(program[48:52], "little") == 3
    assert len(program) < 20 * 1024


def test_the_upgradeable_loader_takes_the_program(chain: LocalChain) -> None:
    account = chain.account(chain.program)
    data = chain.account(program_data_address(chain.program))
    assert account is not None
    assert data is not None
    assert account.executable
    assert account.owner == LOADER
    assert data.data[45:] == read_program()


def test_both_versions_play_the_same_game() -> None:
    states = []
    for program in delivered_programs().values():
        chain = LocalChain(seed=3)
        chain.deploy(program)
        game = LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=b"w" * 32)
        for tag in (Tag.DEAL, Tag.STAND):
            if game.state.status is not Status.FINISHED:
                game.ask(tag)
                game.answer()
        states.append((game.state, [receipt.compute_units for receipt in game.receipts]))
    assert states[0] == states[1]


def test_the_loader_refuses_a_broken_program() -> None:
    broken = bytearray(read_program())
    broken[-8] = 0xFF
    with pytest.raises(TransactionError, match="failed"):
        LocalChain().deploy(bytes(broken))


@needs_compiler
def test_every_system_call_that_the_linker_knows_is_one_of_the_runtimes(tmp_path: Path) -> None:
    """Version 0 names its system calls, and the loader refuses unknown names."""
    source = tmp_path / "calls.c"
    calls = "".join(f"extern void {name}(void);\n" for name in sorted(SYSCALLS))
    body = "".join(f"    {name}();\n" for name in sorted(SYSCALLS))
    source.write_text(
        f"{calls}unsigned long long entrypoint(void)\n{{\n{body}    return 0;\n}}\n", encoding="utf-8"
    )
    program = link(compile_object(source), version=0)
    LocalChain().deploy(program)
    with pytest.raises(TransactionError, match="InvalidAccountData"):
        LocalChain().deploy(program.replace(b"sol_keccak256", b"sol_keccak255"))


@needs_compiler
def test_a_source_that_does_not_compile_is_one_clear_error(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int entrypoint(void) { return nothing; }\n", encoding="utf-8")
    with pytest.raises(BuildError, match="does not compile"):
        build_program(source)
