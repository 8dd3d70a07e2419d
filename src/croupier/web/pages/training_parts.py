"""Parts of the trainer: a discard tray, cards at dealing speed, the count, and the report of a shoe."""

from collections.abc import Callable

from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.play.count_drills import Setting
from croupier.blackjack.play.training import TrayView
from croupier.blackjack.play.whole_shoe import ShoeReport
from croupier.cards import DECK_SIZE, POINT_CLASSES
from croupier.texts import Texts, figure, say
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw

#: A deck is so high in the picture of the tray, and lies so wide.
_DECK_HEIGHT, _WIDTH = 22, 120


def draw_count(count: int) -> None:
    """Draw the count that the visitor is told."""
    with draw("div", classes="count-chip", data_testid="count"):
        draw("span", say("training.count_now", count=count))


def draw_tags(system: CountingSystem) -> None:
    """Draw what each card counts, and what the counts are."""
    with draw("section", classes="sheet stack", aria_label=say("training.page.tags")):
        draw("h2", say("training.page.tags"))
        with draw("dl", classes="tags", data_testid="tags"):
            for rank, tag, red in zip(POINT_CLASSES, system.tags, system.red, strict=True):
                with draw("div"):
                    draw("dt", "10" if rank == "T" else rank)
                    draw("dd", figure(tag, "+d" if tag else "d"))
                    if red:
                        draw("dd", say("training.page.red", count=tag + red), "bad")
        draw("p", say("training.page.tags_help"), "quiet small")


def draw_tray(tray: TrayView, *, is_small: bool = False) -> None:
    """Draw a discard tray from the side: cards in it as a pile with a line for each card, marks on the glass for each deck."""
    decks = tray.cards / DECK_SIZE
    height = decks * _DECK_HEIGHT
    with draw(
        "svg",
        classes="tray small" if is_small else "tray",
        viewBox=f"-8 -6 {_WIDTH + 16} {height + 14:g}",
        role="img",
        # How many cards lie in it is what a person has to see, so that no number is said.
        aria_label=say("training.tray_title"),
        data_testid="tray",
    ):
        pile = height * tray.cards_out / tray.cards
        draw(
            "rect", classes="tray-pile", x="4", y=f"{height - pile:.2f}", width=f"{_WIDTH - 8}", height=f"{pile:.2f}"
        )  # fmt: skip
        for line in range(1, tray.cards_out // 2):
            y = height - pile * 2 * line / max(tray.cards_out, 1)
            draw("line", classes="tray-card", x1="4", x2=f"{_WIDTH - 4}", y1=f"{y:.2f}", y2=f"{y:.2f}")
        draw("path", classes="tray-glass", d=f"M0 -4 V{height + 2:g} H{_WIDTH} V-4")


def draw_glances(
    setting: Setting, texts: Texts, moment: str, show_again: Callable[[], object], *, is_open: bool
) -> None:
    """Draw cards that appear and vanish at dealing speed; all of them once the question is answered.

    Parameters
    ----------
    moment
        Names the showing: another one begins from the first card.
    """
    groups = [
        setting.cards[start : start + setting.glance]
        for start in range(0, len(setting.cards), setting.glance)
    ]
    if is_open:
        with draw("div", classes="fan counted", role="group", data_testid="counted"):
            for card in setting.cards:
                show_card(card, texts, classes="small")
        return
    draw("p", say("training.watch", seconds=setting.seconds), "felt-note")
    with draw("div", classes="glances", data_testid=f"glances-{moment}"):
        for place, group in enumerate(groups):
            # A second to look up before the first card.
            style = f"--time: {setting.seconds:.2f}s; --delay: {1 + place * setting.seconds:.2f}s"
            with draw("div", classes="glance", style=style, data_testid=f"glance-{moment}-{place}"):
                for card in group:
                    show_card(card, texts)
    draw(
        "button", say("training.again"), "plain-button", on_click=show_again, type="button", data_testid="again"
    )  # fmt: skip


def draw_report(report: ShoeReport) -> None:
    """Draw what a shoe came to: by kind of decision, and the dearest mistakes."""
    with draw("section", classes="sheet stack shoe-report", data_testid="report"):
        draw("h2", say("training.report"))
        text = say(
            "training.report_line",
            rounds=report.rounds,
            won=report.won,
            cost=report.cost,
            rate=report.cost_per_100,
        )
        draw("p", text)
        with draw("table", classes="grid-table"):
            with draw("thead"), draw("tr"):
                for key in ("kind", "asked", "wrong", "costs"):
                    draw("th", say(f"training.{key}"), scope="col")
            with draw("tbody"):
                for line in report.lines:
                    with draw("tr"):
                        draw("th", say(f"training.kinds.{line.kind}"), scope="row")
                        draw("td", figure(line.asked, ",d"))
                        draw("td", figure(line.wrong, ",d"))
                        draw("td", figure(line.cost, ".3f"))
        if not report.mistakes:
            draw("p", say("training.no_mistakes"))
        with draw("ol", classes="weak"):
            for mistake in report.mistakes:
                with draw("li"):
                    draw("span", say("training.round", number=mistake.round), "quiet")
                    draw("span", mistake.text)
                    draw("span", figure(mistake.cost, ".3f"), "quiet")
