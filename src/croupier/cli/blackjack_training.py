"""``croupier blackjack train``: a person before the trainer in the terminal; what is known of them is kept in a file."""

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.count_drills import Judged, Setting
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.play.trainer import verdict_rows
from croupier.blackjack.play.training import Training, TrainingView, TrayView
from croupier.blackjack.play.whole_shoe import ShoeReport
from croupier.cards import format_cards
from croupier.cli.progress import status_line
from croupier.cli.prompt import Left, Prompt
from croupier.errors import InputError
from croupier.files import FileError, make_folder, read_text, write_text
from croupier.folders import data_folder
from croupier.numerics.numbers import signed

#: Rows of a drawn tray for each deck.
_ROWS_PER_DECK = 2
_DECK = 52


def progress_file(rules: BlackjackRules, system: str) -> Path:
    """Return where progress under some rules is kept: one file for each rule set and system."""
    text = json.dumps([rules.model_dump(mode="json"), system], sort_keys=True)
    return data_folder() / "training" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What is to be trained, and how long.

    Attributes
    ----------
    questions
        How many answers to give; 0 until the person leaves, and for a whole shoe its end.
    path
        Where progress is kept; None for the usual place.
    is_fresh
        Whether to forget earlier progress.
    """

    rules: BlackjackRules
    exercise: str
    system: str
    focus: str
    questions: int
    seed: int
    path: Path | None
    is_fresh: bool

    def opened(self, path: Path) -> Training:
        """Read the progress, or begin."""
        if not self.is_fresh and path.exists():
            training = _read(path)
            if training.rules != self.rules:
                raise InputError(
                    f"progress '{path}': it is for other rules; name another file with --file, or begin anew with --fresh"
                )
        else:
            training = Training.opened(self.rules, seed=self.seed, system=self.system)
        training.set_exercise(self.exercise)
        drill = training.view().strategy
        if drill is not None and self.focus != drill.focus:
            training.set_focus(self.focus)
        return training


def _read(path: Path) -> Training:
    try:
        state = json.loads(read_text(path, what="progress"))
    except json.JSONDecodeError:
        raise FileError(f"progress '{path}': it is no JSON; begin anew with --fresh") from None
    if not isinstance(state, dict):
        raise FileError(f"progress '{path}': it is no training; begin anew with --fresh")
    return Training.from_state(state)


def train(request: TrainingRequest) -> None:
    """Ask until the person leaves; progress is saved after every answer."""
    console = Console(highlight=False)
    path = progress_file(request.rules, request.system) if request.path is None else request.path
    with status_line("working out the chart and the counts"):
        training = request.opened(path)
    TrainingSession(console, training, path, request.questions).run()


@dataclass(slots=True)
class TrainingSession:
    """Questions and answers, one after another."""

    console: Console
    training: Training
    path: Path
    questions: int = 0

    def run(self) -> None:
        """Ask until the person leaves, or has answered enough."""
        view = self.training.view()
        self.console.print(f"{view.introduction} {rules_summary(view.rules)}.")
        if view.ramp:
            self.console.print(view.ramp)
        self.console.print(
            "[dim]Answer with a word, its first letters or a number; [b]history[/b] shows the score, [b]quit[/b] leaves.[/dim]"
        )
        answered = 0
        try:
            while not self.questions or answered < self.questions:
                self._ask()
                answered += 1
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_score()

    def _ask(self) -> None:
        """Ask one question, and go on to the next one."""
        view = self.training.view()
        if view.choices and view.choices[0].name == "next":
            self.training.go_on()
            view = self.training.view()
        self._show(view)
        while True:
            try:
                self.training.answer(self._answer(view))
            except InputError as error:
                self.console.print(f"{error}.", markup=False)
            else:
                break
        self._save()
        self._show_verdict(self.training.view())

    def _answer(self, view: TrainingView) -> str:
        prompt = Prompt(self.console, self._show_score)
        if view.asks_number:
            return prompt.ask("your answer")
        return prompt.pick(view.choices).name

    def _save(self) -> None:
        make_folder(self.path.parent, what="progress")
        text = json.dumps(self.training.to_state(), ensure_ascii=False, indent=1)
        write_text(self.path, text + "\n", what="progress")

    # What is shown

    def _show(self, view: TrainingView) -> None:
        self.console.rule()
        setting = view.setting
        if view.strategy is not None:
            self._show_hand(view.strategy.cards, view.strategy.dealer_card)
        elif view.exercise == "count" and setting is not None:
            self.console.print(view.prompt)
            self._deal(setting)
        elif setting is not None and setting.cards:
            self._show_hand(setting.cards, setting.dealer_card)
        elif view.table is not None:
            dealer, seat = view.table
            self.console.print(f"dealer  {dealer}", markup=False)
            for line in seat.lines():
                self.console.print(f"you     {line}", markup=False)
        if view.tray is not None and view.exercise != "count" and view.asks_number:
            self.console.print(tray_text(view.tray), markup=False)
        if view.exercise != "count":
            self.console.print(view.prompt, markup=False)

    def _show_hand(self, cards: tuple[int, ...], dealer_card: int | None) -> None:
        shown = "" if dealer_card is None else format_cards((dealer_card,), symbols=True)
        self.console.print(f"dealer  {shown}", markup=False)
        self.console.print(f"you     {format_cards(cards, symbols=True)}", markup=False)

    def _deal(self, setting: Setting) -> None:
        """Show cards at dealing speed; where nobody watches a terminal, all at once."""
        for start in range(0, len(setting.cards), setting.glance):
            text = format_cards(setting.cards[start : start + setting.glance], symbols=True)
            if self.console.is_terminal:
                self.console.print(f"  {text:<16}", end="\r", markup=False)
                time.sleep(setting.seconds)
            else:
                self.console.print(f"  {text}", markup=False)
        if self.console.is_terminal:
            self.console.print(" " * 20, end="\r")

    def _show_verdict(self, view: TrainingView) -> None:
        if view.report is not None:
            self._show_report(view.report)
            return
        verdict = view.verdict if view.strategy is None else view.strategy.verdict
        if verdict is None:
            return
        text = verdict.text if isinstance(verdict, Judged) else str(verdict)
        self.console.print(f"[{'green' if verdict.is_right else 'yellow'}]{text}[/]")
        if verdict.worths and not verdict.is_right:
            rows = (
                verdict_rows(view.strategy.verdict)
                if view.strategy is not None and view.strategy.verdict is not None
                else tuple((name, signed(worth, 4), "") for name, worth in verdict.worths)
            )
            for name, worth, _ in rows:
                self.console.print(f"  {name:<10} {worth}", markup=False)

    def _show_report(self, report: ShoeReport) -> None:
        table = Table(title="your shoe", title_justify="left")
        for column in ("decision", "asked", "wrong", "costs, units"):
            table.add_column(column, justify="left" if column == "decision" else "right")
        for line in report.lines:
            table.add_row(f"{line.kind}s", f"{line.asked}", f"{line.wrong}", f"{line.cost:.3f}")
        self.console.print(table)
        self.console.print(
            f"{report.rounds} rounds, {report.won:+.1f} units won. Mistakes cost {report.cost:.2f} units, "
            f"{report.cost_per_100:.2f} in 100 rounds."
        )
        for mistake in report.mistakes:
            self.console.print(f"  round {mistake.round}: {mistake.text} ({mistake.cost:.3f})", markup=False)

    def _show_score(self) -> None:
        view = self.training.view()
        score = view.score
        if not score.answered:
            self.console.print("Nothing is answered yet.")
            return
        self.console.print(
            f"{score.right} of {score.answered} right ({score.right / score.answered:.0%}); mistakes cost {score.cost:.3f} units."
        )
        for item, wrong, asked in view.weak:
            self.console.print(f"  weak: {item}, wrong {wrong} of {asked}", markup=False)
        self.console.print(f"[dim]Kept in {self.path}[/dim]", soft_wrap=True)


def tray_text(tray: TrayView) -> str:
    """Draw a discard tray with a line for each half deck.

    >>> print(tray_text(TrayView(cards_out=52, cards=104)))
    discard tray
    |          |
    |          |
    |##########|
    |##########|
    +----------+
    """
    rows = _ROWS_PER_DECK * tray.cards // _DECK
    full = round(_ROWS_PER_DECK * tray.cards_out / _DECK)
    lines = ["|          |"] * (rows - full) + ["|##########|"] * full
    return "\n".join(["discard tray", *lines, "+----------+"])
