"""The folder for playing on a cluster, and clear messages about what is missing."""

from pathlib import Path

import pytest
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.files import FileError
from croupier.solana.keys import create_key
from croupier.solana.table import NewestGame, Table, TableError

PROGRAM, PLAYER, HOUSE = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))


def test_what_is_missing_is_named_with_the_command_that_makes_it(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for look, clue in (
        (lambda: table.player, "player.json': not found; `croupier solana keygen` creates it"),
        (lambda: table.house_key, "house.json': not found; `croupier solana keygen` creates it"),
        (lambda: table.house, "house-secret.json': not found; `croupier solana keygen` creates it"),
        (lambda: table.program, "program.json': not found; `croupier solana deploy` creates it"),
    ):
        with pytest.raises(TableError, match=clue):
            look()
    assert list(tmp_path.iterdir()) == []


def test_keys_from_elsewhere_take_the_place_of_the_tables(tmp_path: Path) -> None:
    mine = create_key(tmp_path / "mine.json")
    table = Table(tmp_path / "table", player_file=tmp_path / "mine.json", program_address=str(PROGRAM))
    assert [path.name for path in table.create_keys()] == ["house.json", "house-secret.json"]
    assert table.player == mine
    assert table.program == PROGRAM


@pytest.mark.parametrize("text", ["", "me", "0" * 44, str(PROGRAM) + "1"])
def test_a_program_that_is_no_address_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(TableError, match="not an address"):
        _ = Table(tmp_path, program_address=text).program


def test_the_program_keeps_its_key(tmp_path: Path) -> None:
    table = Table(tmp_path / "table")
    key = table.program_key()
    assert isinstance(key, Keypair)
    assert table.program_key() == key
    assert table.program == key.pubkey()


def test_the_newest_game_is_remembered_for_its_program(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert table.newest_game(PROGRAM) is None
    for game in (NewestGame(2**63, PLAYER, HOUSE), NewestGame(5, PLAYER, None)):
        table.remember_game(PROGRAM, game)
        assert table.newest_game(PROGRAM) == game
    assert table.newest_game(Pubkey.default()) is None


def test_a_side_is_known_by_its_address_its_key_or_the_newest_game(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for missing in (table.player_pubkey, table.house_pubkey):
        with pytest.raises(TableError, match=r"give --(player|house) ADDRESS"):
            missing(PROGRAM)
    table.remember_game(PROGRAM, NewestGame(5, PLAYER, HOUSE))
    assert (table.player_pubkey(PROGRAM), table.house_pubkey(PROGRAM)) == (PLAYER, HOUSE)
    table.create_keys("house")
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "game.json",
        "house-secret.json",
        "house.json",
    ]
    assert table.house_pubkey(PROGRAM) == table.house_key.pubkey() == table.key_of(None).pubkey()
    table.create_keys("player")
    assert table.player_pubkey(PROGRAM) == table.player.pubkey() == table.key_of(None).pubkey()
    named = Table(tmp_path, player_address=str(HOUSE), house_address=str(PLAYER))
    assert (named.player_pubkey(PROGRAM), named.house_pubkey(PROGRAM)) == (HOUSE, PLAYER)


def test_a_game_file_of_an_older_version_belongs_to_the_player_of_the_folder(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.create_keys("player")
    (tmp_path / "game.json").write_text(f'{{"program": "{PROGRAM}", "number": 3}}', encoding="utf-8")
    assert table.newest_game(PROGRAM) == NewestGame(3, table.player.pubkey(), None)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 9999, '{"number": 3}'])
def test_a_game_file_that_names_no_game_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=r"game\.json': it names no game"):
        Table(tmp_path).newest_game(PROGRAM)


def test_a_table_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("x", encoding="utf-8")
    with pytest.raises(FileError, match="it is a file; name a folder"):
        Table(tmp_path / "table").create_keys()
