"""What the Solana pages show: a hand, a proof, a transaction."""

from collections.abc import Sequence

from croupier.texts import Texts, sentence
from croupier.web.models.solana_view import AccountUse, Entry, Hand, Proof, PurseChange, Transaction
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.facts import fact

PROVES = (
    "The house could not change its numbers after the first transaction: each pre-image hashes to its commitment.",
    "Every card follows by arithmetic from the pre-image, the player's seed, the slot's hash and the game's address: "
    "none was swapped, left out or drawn twice.",
    "The dealer played by the rules, and the result is the one that the cards give.",
)
DOES_NOT_PROVE = (
    "That the slot hashes are those of a public cluster: the record is the only evidence. Here one process is the chain, the "
    "house and the player; this shows how the proof works, not that this server is honest.",
    "That the house and the leader of a slot did not work together: together they could choose a slot's hash.",
)


def show_hand(name: str, mark: str, hand: Hand, texts: Texts) -> None:
    """Draw the cards of one side with their total."""
    with draw("div", classes="solana-hand", data_testid=f"{mark}-hand"):
        with draw("p", classes="solana-hand-name"):
            draw("strong", name)
            draw("span", hand.total, "number", data_testid=f"{mark}-total")
        fan(hand.cards, texts, label=f"{name}: {len(hand.cards)} cards", classes="spread")


def show_proof(proof: Proof, mark: str) -> None:
    """Draw every check with a tick, and the verdict with a test id."""
    with draw("ol", classes="solana-proof"):
        for step in proof.steps:
            _step(step.title, step.checks)
        if proof.end_checks:
            _step("the end", proof.end_checks)
    is_fair = proof.problem is None
    classes = f"solana-verdict {'good' if is_fair else 'bad'}"
    draw("p", f"{'✓' if is_fair else '✗'} {proof.verdict}", classes, data_testid=mark)


def _step(title: str, checks: Sequence[str]) -> None:
    with draw("li"):
        draw("strong", f"{title[0].upper()}{title[1:]}")
        with draw("ul", classes="solana-ticks"):
            for check in checks:
                draw("li", sentence(check), data_testid="check")


def show_points(title: str, points: Sequence[str]) -> None:
    """Draw a list with a heading."""
    with draw("div"):
        draw("h3", title)
        with draw("ul"):
            for point in points:
                draw("li", point)


def show_entry(entry: Entry) -> None:
    """Draw the details of a transaction, or of slots that passed."""
    with draw("div", classes="stack", data_testid="details"):
        draw("p", sentence(entry.sentence), data_testid="entry-words")
        _balances(entry.purses)
        if entry.transaction is not None:
            _costs(entry.transaction)
            _accounts(entry.transaction.accounts)
            _lines("Instruction data", "data", (entry.transaction.data,))
            _lines("Logs", "logs", entry.transaction.logs)
            _lines("Signature", "signature", (entry.transaction.signature,))


def _balances(purses: Sequence[PurseChange]) -> None:
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="balances"),
    ):
        _headings("lamports", "before", "after", "change")
        for purse in purses:
            change = purse.after - purse.before
            with draw("tr", data_testid=f"balance-{purse.name}"):
                draw("th", purse.name, scope="row")
                draw("td", f"{purse.before:,}", "number")
                draw("td", f"{purse.after:,}", "number")
                draw("td", f"{change:+,}".replace("-", "−") if change else "–", "number")


def _costs(transaction: Transaction) -> None:
    with draw("div", classes="facts"):
        for name, value, mark in (
            ("compute units", f"{transaction.compute_units:,}", "compute-units"),
            ("fee in lamports", f"{transaction.fee:,}", "fee"),
            ("paid by", transaction.payer, "payer"),
        ):
            fact(name, value, mark)


def _accounts(accounts: Sequence[AccountUse]) -> None:
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table solana-accounts", data_testid="accounts"),
    ):
        _headings("account", "signs", "writable", "address")
        for account in accounts:
            with draw("tr"):
                draw("th", account.role, scope="row")
                draw("td", "yes" if account.signs else "–")
                draw("td", "yes" if account.is_writable else "–")
                draw("td", account.address, "solana-hex")


def _headings(*names: str) -> None:
    with draw("tr"):
        for name in names:
            draw("th", name, scope="col")


def _lines(title: str, mark: str, lines: Sequence[str]) -> None:
    draw("h3", title)
    draw("pre", "\n".join(lines), "solana-hex solana-lines", data_testid=mark)
