"""A stranger in a real browser: the key never leaves it, and what is signed is shown first."""

import asyncio
import base64
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from croupier.solana.bankroll import BetLimits
from croupier.solana.cluster import Cluster
from croupier.solana.house import House
from croupier.solana.house_service import HouseService, Limits
from croupier.solana.stake_instructions import open_bankroll
from croupier.solana.toolchain.compiler import read_program
from tests.solana.localnets import HOUSE, PLAYER, PROGRAM, deploy_program, serving_here
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify
SOL = 10**9
RESULT = re.compile("win|tie|bust")
#: A wallet as an extension of the browser would inject it, by the wallet standard.
WALLET = """
(() => {
  const wallet = { version: "1.0.0", name: "Purse", icon: "data:,", chains: ["solana:localnet"], accounts: [], features: {} };
  let pair = null;
  wallet.features["standard:connect"] = { version: "1.0.0", connect: async () => {
    pair ??= await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    return { accounts: [{ address: "", publicKey, chains: wallet.chains, features: Object.keys(wallet.features) }] };
  } };
  wallet.features["solana:signTransaction"] = { version: "1.0.0", supportedTransactionVersions: ["legacy", 0],
    signTransaction: async ({ transaction }) => {
      const signed = transaction.slice();
      signed.set(new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, transaction.slice(65))), 1);
      return [{ signedTransaction: signed }];
    } };
  const callback = ({ register }) => register(wallet);
  window.addEventListener("wallet-standard:app-ready", ({ detail }) => callback(detail));
  window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: callback }));
})();
"""


def on(url: str, act: Callable[[Cluster], Any]) -> Any:
    """Act on the cluster from a thread of its own, since Playwright's loop runs in this one."""
    outcome: list[Any] = []

    async def connected() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            outcome.append(await act(cluster))

    thread = threading.Thread(target=lambda: asyncio.run(connected()))
    thread.start()
    thread.join()
    return outcome[0]


async def prepare(cluster: Cluster) -> None:
    for key in (PLAYER, HOUSE):
        await cluster.airdrop(key.pubkey(), 10 * SOL)
    await deploy_program(cluster, read_program())
    await cluster.send(open_bankroll(cluster.program, HOUSE.pubkey(), BetLimits(), lamports=SOL), [HOUSE])


@contextmanager
def house_of(url: str, folder: Path) -> Iterator[None]:
    """Run a house until the block ends; when it begins, games are on offer."""
    ended, offered = threading.Event(), threading.Event()

    async def serve() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            house = House.create(folder / "house-secret.json")
            service = HouseService(cluster, HOUSE, house, folder / "journal.json", Limits(capacity=4))
            while not ended.is_set():
                await service.serve_once()
                offered.set()
                await cluster.pause()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    offered.wait()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def signed(page: Page, choice: str) -> list[str]:
    """Choose something, read what is to be signed, and sign it."""
    page.get_by_test_id(f"choice-{choice}").click()
    expect(page.get_by_test_id("to-sign")).to_be_visible()
    lines = page.get_by_test_id("to-sign").locator("li").all_inner_texts()
    wire = base64.b64decode(page.get_by_test_id("bytes").text_content() or "")
    assert str(VersionedTransaction.from_bytes(wire).message.account_keys[0]) in lines[0]
    page.get_by_test_id("sign").click()
    expect(page.get_by_test_id("to-sign")).to_have_count(0)
    return lines


def play(page: Page, url: str, connecting: str, bet: str) -> None:
    """Play a whole game with a fresh key, with a bet or without."""
    page.get_by_test_id(connecting).click()
    address = (page.get_by_test_id("address").text_content() or "").split()[-1]
    on(url, lambda cluster: cluster.airdrop(Pubkey.from_string(address), SOL))
    page.get_by_test_id("choice-open").click()
    expect(page.get_by_test_id("to-sign")).to_be_visible()
    page.get_by_test_id("leave").click()
    expect(page.get_by_test_id("state")).to_have_text("No game is open.")
    assert on(url, lambda cluster: cluster.balance(Pubkey.from_string(address))) == SOL, "nothing was sent"
    expect(page.get_by_test_id("bet-offer")).to_contain_text("bets from 0.001 SOL to 0.1 SOL")
    if bet:
        refused_bets(page)
        page.get_by_test_id("bet").fill(bet)
    words = "2,672,640 lamports of rent, which come back; no bet"
    if bet:
        words = "a bet of 20,000,000 lamports, beside which the house's bankroll puts 21,000,000"
    assert words in signed(page, "open")[1]
    if bet:
        expect(page.get_by_test_id("stakes").first).to_have_text(
            "Your bet is 0.02 SOL. The house has put 0.021 SOL beside it."
        )
    if connecting == "own-key":  # the key and the open game are found again
        page.reload()
        page.wait_for_function("window.did_handshake")
        page.get_by_test_id(connecting).click()
    assert "deal: request the first cards" in signed(page, "deal")[1]
    stand, close = page.get_by_test_id("choice-stand"), page.get_by_test_id("choice-cleanup")
    finished = page.get_by_test_id("state").filter(has_text=RESULT)
    expect(stand.or_(finished)).to_be_visible()
    requests = 1
    if stand.is_visible():
        signed(page, "stand")
        requests += 1
    expect(finished).to_be_visible()
    if bet:
        shares(page, url, Pubkey.from_string(address), 5000 * (requests + 1))
        return
    signed(page, "cleanup")
    expect(page.get_by_test_id("state")).to_contain_text("The game is closed.")
    expect(close).to_have_count(0)
    balance = on(url, lambda cluster: cluster.balance(Pubkey.from_string(address)))
    assert balance == SOL - 5000 * (requests + 2), "the fees, and nothing else"


def refused_bets(page: Page) -> None:
    """Type bets that the house does not take: each is refused in words, and nothing is shown for signing."""
    for wrong, words in (("much", "Bet 'much'"), ("-1", "Bet '-1'"), ("5", "takes bets from")):
        page.get_by_test_id("bet").fill(wrong)
        page.get_by_test_id("choice-open").click()
        expect(page.locator(".q-notification").filter(has_text=words)).to_be_visible()
        expect(page.get_by_test_id("to-sign")).to_have_count(0)


def shares(page: Page, url: str, player: Pubkey, fees: int) -> None:
    """Read how the stakes are shared, and find every lamport; the house or the visitor settles, whoever is first."""
    settle, closed = page.get_by_test_id("choice-cleanup"), page.get_by_text("The game is closed.")
    expect(settle.or_(closed)).to_be_visible()
    while settle.is_visible():
        settle.click()
        sign = page.get_by_test_id("sign")
        expect(sign.or_(closed)).to_be_visible()
        if sign.is_visible():
            page.get_by_test_id("leave").click()
            expect(settle.or_(closed)).to_be_visible()
    text = page.get_by_test_id("stakes").nth(1).text_content() or ""
    got, bankroll = (float(number) for number in re.findall(r"([0-9.]+) SOL", text))
    assert text.startswith("You got ")
    assert round(got + bankroll, 9) == 0.041, "bet and cover, to the lamport"
    balance = on(url, lambda cluster: cluster.balance(player))
    assert balance == SOL - 20_000_000 + round(got * SOL) - fees


def test_strangers_play_with_a_key_of_the_browser_and_with_a_wallet(
    new_context: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_here() as url:
        on(url, prepare)
        monkeypatch.setenv("CROUPIER_SOLANA_URL", url)
        monkeypatch.setenv("CROUPIER_SOLANA_PROGRAM", str(PROGRAM.pubkey()))
        monkeypatch.setenv("CROUPIER_SOLANA_HOUSE", str(HOUSE.pubkey()))
        server = WebServer(tmp_path)
        server.start()
        try:
            with house_of(url, tmp_path):
                for connecting, bet in (("own-key", ""), ("own-key", "0.02"), ("wallet-Purse", "")):
                    context = new_context()
                    if connecting == "wallet-Purse":
                        context.add_init_script(WALLET)
                    page = context.new_page()
                    page.goto(f"{server.url}/solana/stranger")
                    page.wait_for_function("window.did_handshake")
                    play(page, url, connecting, bet)
                    context.close()
        finally:
            server.stop()


def test_without_a_house_the_page_says_what_to_set(
    new_context: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CROUPIER_SOLANA_HOUSE", raising=False)
    server = WebServer(tmp_path)
    server.start()
    try:
        page = new_context().new_page()
        page.goto(f"{server.url}/solana/stranger")
        expect(page.get_by_test_id("missing")).to_contain_text("CROUPIER_SOLANA_HOUSE")
        page.close()
    finally:
        server.stop()
