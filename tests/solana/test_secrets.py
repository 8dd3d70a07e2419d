"""Key files and the house's secret: private, never half-written, never lost, never used twice."""

import json
import stat
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from solders.keypair import Keypair

from croupier.files import FileError
from croupier.solana.chain_index import ChainIndexError
from croupier.solana.house import LINKS, House, HouseError, chain_links
from croupier.solana.keys import KeyFileError, create_key, read_key
from croupier.solana.randomness import next_tip


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_file_has_the_form_of_the_solana_tools(tmp_path: Path) -> None:
    key = create_key(tmp_path / "player.json")
    numbers = json.loads((tmp_path / "player.json").read_text(encoding="utf-8"))
    assert bytes(numbers) == bytes(key)
    assert bytes(numbers[32:]) == bytes(key.pubkey())
    assert read_key(tmp_path / "player.json") == key


def test_secrets_can_be_read_by_their_owner_alone(tmp_path: Path) -> None:
    create_key(tmp_path / "player.json")
    house = House.create(tmp_path / "house.json")
    house.open_chain()
    assert {mode_of(path) for path in tmp_path.iterdir()} == {0o600}


def test_an_existing_secret_is_never_replaced(tmp_path: Path) -> None:
    key = create_key(tmp_path / "player.json")
    with pytest.raises(FileError, match="it already exists"):
        create_key(tmp_path / "player.json")
    assert read_key(tmp_path / "player.json") == key
    House.create(tmp_path / "house.json").open_chain()
    with pytest.raises(FileError, match="it already exists"):
        House.create(tmp_path / "house.json")
    assert House.load(tmp_path / "house.json").opened == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["house.index", "house.json", "player.json"]


def test_a_secret_in_a_missing_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        create_key(tmp_path / "missing" / "player.json")


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1, 2]", json.dumps([256] * 64), json.dumps([True] * 64), json.dumps(["1"] * 64), "[" * 9999],
)
def test_a_file_that_is_no_key_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "key.json").write_text(text, encoding="utf-8")
    with pytest.raises(KeyFileError, match=r"key file '.*key\.json'"):
        read_key(tmp_path / "key.json")


def test_a_key_whose_halves_do_not_belong_together_is_refused(tmp_path: Path) -> None:
    mixed = bytes(Keypair())[:32] + bytes(Keypair())[32:]
    (tmp_path / "key.json").write_text(json.dumps(list(mixed)), encoding="utf-8")
    with pytest.raises(KeyFileError, match="does not belong"):
        read_key(tmp_path / "key.json")


def test_a_chain_answers_every_request_of_the_longest_game(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json")
    tip = house.open_chain()
    for _ in range(LINKS):
        preimage = house.preimage_of(tip)
        assert next_tip(preimage) == tip
        tip = preimage
    with pytest.raises(HouseError, match="none of this house's 1 chains"):
        house.preimage_of(tip)


def test_a_tip_is_never_handed_out_twice_even_after_a_restart(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json", secret=b"z" * 32)
    tips = [house.open_chain() for _ in range(3)]
    again = House.load(tmp_path / "house.json")
    tips += [again.open_chain() for _ in range(3)]
    assert len(set(tips)) == 6
    assert tips == [chain_links(b"z" * 32, number)[-1] for number in range(6)]
    assert [next_tip(again.preimage_of(tip)) for tip in tips] == tips


def test_processes_that_share_a_house_get_different_chains(tmp_path: Path) -> None:
    path = tmp_path / "house.json"
    House.create(path)
    opening = (
        "import sys; from pathlib import Path; from croupier.solana.house import House; "
        "house = House.load(Path(sys.argv[1])); print(flush=True); sys.stdin.readline(); "
        "print('\\n'.join(house.open_chain().hex() for _ in range(40)))"
    )
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", opening, str(path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            )
            for _ in range(3)
        ]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()  # it is ready
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        tips = {tip for process in processes for tip in process.communicate(timeout=120)[0].split()}
    assert len(tips) == House.load(path).opened == 120
    house = House.load(path)
    assert all(house.preimage_of(bytes.fromhex(tip)) for tip in tips)


def test_a_house_whose_file_was_exchanged_opens_no_chain(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json")
    (tmp_path / "house.json").unlink()
    House.create(tmp_path / "house.json")
    with pytest.raises(HouseError, match="its secret has changed"):
        house.open_chain()
    assert House.load(tmp_path / "house.json").opened == 0


def test_that_a_chain_is_used_is_on_disk_before_its_tip_is_known(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json")
    house.open_chain()
    for path in tmp_path.iterdir():
        path.unlink()
    tmp_path.rmdir()
    with pytest.raises(FileError):
        house.open_chain()


def test_an_index_that_was_lost_or_belongs_to_another_house_is_made_again(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json")
    tips = house.open_chains(5)
    (tmp_path / "house.index").unlink()
    assert [next_tip(house.preimage_of(tip)) for tip in tips] == tips
    other = House.create(tmp_path / "other.json")
    other.open_chains(3)
    (tmp_path / "other.index").replace(tmp_path / "house.index")
    assert [next_tip(house.preimage_of(tip)) for tip in tips] == tips
    with pytest.raises(HouseError, match="none of this house's 5 chains"):
        house.preimage_of(bytes(32))


def test_a_look_up_computes_one_chain_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look-up over all chains took half a minute at 300,000, for a foreign tip, too."""
    house = House.create(tmp_path / "house.json")
    tips = house.open_chains(60)
    computed = []

    def counted(secret: bytes, number: int) -> tuple[bytes, ...]:
        computed.append(number)
        return chain_links(secret, number)

    monkeypatch.setattr("croupier.solana.house.chain_links", counted)
    house.preimage_of(tips[59])
    assert computed == [59]
    with pytest.raises(HouseError, match="none of this house's 60 chains"):
        house.preimage_of(bytes(32))
    assert computed == [59]


def test_a_damaged_index_is_one_clear_error(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json")
    (tmp_path / "house.index").write_bytes(b"no database, certainly not one" * 99)
    with pytest.raises(ChainIndexError, match=r"house\.index': .*; remove it"):
        house.open_chain()


def test_a_chain_whose_opener_was_killed_before_it_was_indexed_is_found(tmp_path: Path) -> None:
    """The number is saved first; a process that is killed right afterwards leaves the index behind."""
    house = House.create(tmp_path / "house.json", secret=b"k" * 32)
    house.open_chains(2)
    text = json.dumps({"secret": (b"k" * 32).hex(), "opened": 4})
    (tmp_path / "house.json").write_text(text, encoding="utf-8")
    lost = chain_links(b"k" * 32, 3)[-1]
    assert next_tip(house.preimage_of(lost)) == lost
    assert house.open_chain() == chain_links(b"k" * 32, 4)[-1]


def test_an_old_copy_of_the_file_does_not_lead_to_a_second_use(tmp_path: Path) -> None:
    house = House.create(tmp_path / "house.json", secret=b"o" * 32)
    copy = (tmp_path / "house.json").read_text(encoding="utf-8")
    used = house.open_chains(3)
    (tmp_path / "house.json").write_text(copy, encoding="utf-8")
    assert House.load(tmp_path / "house.json").open_chain() not in used


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"secret": "zz", "opened": 0}', '{"secret": "00", "opened": 0}',
     json.dumps({"secret": "00" * 32, "opened": -1}), json.dumps({"secret": "00" * 32, "opened": True})],
)  # fmt: skip
def test_a_file_that_is_no_house_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "house.json").write_text(text, encoding="utf-8")
    with pytest.raises(HouseError, match=r"house file '.*house\.json'"):
        House.load(tmp_path / "house.json")


def test_a_house_secret_has_32_bytes(tmp_path: Path) -> None:
    with pytest.raises(HouseError, match="5 bytes"):
        House.create(tmp_path / "house.json", secret=b"short")
