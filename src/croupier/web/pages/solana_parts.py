"""What the Solana pages show: a hand, a proof, a transaction."""

from collections.abc import Sequence

from croupier.texts import Texts, figure, say
from croupier.web.models.solana_view import AccountUse, Entry, Hand, Proof, PurseChange, Transaction
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.facts import fact

PROVES = tuple(say(f"solana.proof.proves_{place}") for place in (1, 2, 3))
DOES_NOT_PROVE = tuple(say(f"solana.proof.not_{place}") for place in (1, 2))


def show_hand(name: str, mark: str, hand: Hand, texts: Texts) -> None:
    """Draw the cards of one side with their total."""
    with draw("div", classes="solana-hand", data_testid=f"{mark}-hand"):
        with draw("p", classes="solana-hand-name"):
            draw("strong", name)
            draw("span", hand.total, "number", data_testid=f"{mark}-total")
        fan(
            hand.cards,
            texts,
            label=texts("solana.cards_of", name=name, count=len(hand.cards)),
            classes="spread",
        )


def show_proof(proof: Proof, mark: str) -> None:
    """Draw every check with a tick, and the verdict with a test id."""
    with draw("ol", classes="solana-proof"):
        for step in proof.steps:
            _step(step.title, step.checks)
        if proof.end_checks:
            _step(say("solana.proof.end"), proof.end_checks)
    is_fair = proof.problem is None
    with draw("p", classes=f"solana-verdict {'good' if is_fair else 'bad'}", data_testid=mark):
        draw("span", "✓ " if is_fair else "✗ ")
        draw("span", proof.verdict)


def _step(title: str, checks: Sequence[str]) -> None:
    with draw("li"):
        draw("strong", say("list.capital", text=title))
        with draw("ul", classes="solana-ticks"):
            for check in checks:
                draw("li", say("list.sentence", text=check), data_testid="check")


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
        draw("p", say("list.sentence", text=entry.sentence), data_testid="entry-words")
        _balances(entry.purses)
        if entry.transaction is not None:
            _costs(entry.transaction)
            _accounts(entry.transaction.accounts)
            _lines("data", "data", (entry.transaction.data,))
            _lines("logs", "logs", entry.transaction.logs)
            _lines("signature", "signature", (entry.transaction.signature,))


def _balances(purses: Sequence[PurseChange]) -> None:
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="balances"),
    ):
        _headings("lamports", "before", "after", "change")
        for purse in purses:
            change = purse.after - purse.before
            with draw("tr", data_testid=f"balance-{purse.name}"):
                draw("th", say(f"solana.purse.{purse.name}"), scope="row")
                draw("td", figure(purse.before, ",d"), "number")
                draw("td", figure(purse.after, ",d"), "number")
                draw("td", figure(change, "+,d") if change else "–", "number")


def _costs(transaction: Transaction) -> None:
    with draw("div", classes="facts"):
        for name, value, mark in (
            ("compute", figure(transaction.compute_units, ",d"), "compute-units"),
            ("fee", figure(transaction.fee, ",d"), "fee"),
            ("paid_by", say(f"solana.purse.{transaction.payer}"), "payer"),
        ):
            fact(say(f"solana.chain.{name}"), value, mark)


def _accounts(accounts: Sequence[AccountUse]) -> None:
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table solana-accounts", data_testid="accounts"),
    ):
        _headings("account", "signs", "writable", "address")
        for account in accounts:
            with draw("tr"):
                draw("th", say(f"solana.purse.{account.role.replace(' ', '_')}"), scope="row")
                draw("td", say("solana.chain.yes") if account.signs else "–")
                draw("td", say("solana.chain.yes") if account.is_writable else "–")
                draw("td", account.address, "solana-hex")


def _headings(*names: str) -> None:
    with draw("tr"):
        for name in names:
            draw("th", say(f"solana.chain.{name}"), scope="col")


def _lines(title: str, mark: str, lines: Sequence[str]) -> None:
    draw("h3", say(f"solana.chain.{title}"))
    draw("pre", "\n".join(lines), "solana-hex solana-lines", data_testid=mark)
