"""Who sits at a table for friends, what they have won, and who owes whom."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from croupier.texts import in_row, say
from croupier.web.friends.payments import money, signed_money
from croupier.web.friends.seats import Holder
from croupier.web.friends.table import SeatView, SharedTable, TableView
from croupier.web.parts.drawing import draw

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage


def draw_people(page: "FriendsPage") -> None:
    """Draw the list of people, with what the host can do about each."""
    view = page.view
    with draw("section", classes="sheet stack", aria_label=say("friends.people.title")):
        draw("h2", say("friends.people.title"))
        with draw("ul", classes="people", data_testid="people"):
            for number, seat in enumerate(view.seats):
                if seat.holder is not Holder.NOBODY or seat.total:
                    _draw_person(page, number, seat)
        if view.watching:
            watch = say("friends.people.watching", count=view.watching)
            draw("p", watch, "quiet small", data_testid="watching")
        if view.is_host and not view.is_ended and view.free and view.kind != "durak":
            visitor = page.visit.visitor
            _button(
                page, say("friends.people.add_engine"), "add-engine", lambda table: table.add_engine(visitor)
            )


def _draw_person(page: "FriendsPage", number: int, seat: SeatView) -> None:
    view = page.view
    with draw("li", classes="mine" if seat.is_mine else "", data_testid=f"person-{number + 1}"):
        with draw("span", classes="person"):
            draw("strong", seat.name)
            draw("span", in_row(_notes(seat), "list.dots"), "quiet small")
        draw("span", _total(view, seat.total), "number", data_testid=f"total-{number + 1}")
        if view.is_host and not view.is_ended and not seat.is_mine and seat.holder is not Holder.NOBODY:
            _draw_remedies(page, number, seat)


def _draw_remedies(page: "FriendsPage", number: int, seat: SeatView) -> None:
    view, visitor = page.view, page.visit.visitor
    with draw("details", classes="remedies"):
        draw("summary", "…", aria_label=say("friends.people.remedies", name=seat.name))
        if seat.holder is Holder.PERSON:
            _button(
                page,
                say("friends.people.engine_plays"),
                f"replace-{number + 1}",
                lambda table: table.replace_by_engine(visitor, number),
            )
            if not view.is_playing and view.kind != "durak":
                _button(
                    page,
                    say("friends.do.sit_out"),
                    f"sit-out-{number + 1}",
                    lambda table: table.sit_out(visitor, number),
                )
        if seat.has_owner or view.kind != "durak":
            _button(
                page,
                say("friends.people.free"),
                f"remove-{number + 1}",
                lambda table: table.remove(visitor, number),
            )


def _button(page: "FriendsPage", label: str, mark: str, action: Callable[[SharedTable], object]) -> None:
    draw(
        "button",
        label,
        "plain-button small",
        type="button",
        data_testid=mark,
        on_click=partial(page.change, action),
    )


def _notes(seat: SeatView) -> list[str]:
    notes: list[str] = [say("friends.people.you")] if seat.is_mine else []
    if seat.is_host:
        notes.append(say("friends.people.host"))
    match seat.holder:
        case Holder.ENGINE:
            notes.append(say(f"friends.people.{'an_engine_plays' if seat.has_owner else 'engine'}"))
        case Holder.LEAVING | Holder.NOBODY:
            notes.append(say("friends.people.left"))
        case Holder.PERSON if not seat.is_here:
            notes.append(say("friends.people.away"))
        case _:
            pass
    return notes


def _total(view: TableView, total: int) -> str:
    if view.kind == "durak":
        return say("friends.people.lost", count=total) if total else "–"
    return signed_money(total)


def draw_settlement(view: TableView) -> None:
    """Draw who owes whom."""
    if view.kind == "durak":
        return
    with draw("section", classes="sheet stack", aria_label=say("friends.people.owes")):
        draw("h2", say("friends.people.owes"))
        if not view.payments:
            draw("p", say("friends.people.nobody_owes"), "quiet")
        with draw("ul", classes="payments", data_testid="payments"):
            for payment in view.payments:
                with draw("li"):
                    draw("span", say("list.arrow", first=payment.payer, next=payment.payee))
                    draw("span", money(payment.cents), "number")
