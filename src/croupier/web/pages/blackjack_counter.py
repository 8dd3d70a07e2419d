"""The Counter page: sliders on one side; bets, win rate, risk and curves on the other, redrawn while one slides."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from fastapi import Query, Request
from nicegui import ui

from croupier.blackjack.counting.answers import Answer
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.system import SYSTEMS, find_system
from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.phrases import rules_summary
from croupier.errors import InputError
from croupier.web.jobs import Job, Lane, Status
from croupier.web.models.counter_question import CounterQuestion, address_of
from croupier.web.models.counter_runs import (
    CounterDesk,
    ListedProfile,
    ProfileRequest,
    Recorded,
    best_profile,
    listed_profiles,
    opened_profile,
    ready_request,
    record_profile,
)
from croupier.web.models.rules_query import rules_from_query, rules_to_query
from croupier.web.pages.counter_controls import CounterControls
from croupier.web.pages.counter_figures import (
    draw_answer,
    draw_bets,
    draw_by_count,
    draw_ends,
    draw_more,
    draw_ruin,
)
from croupier.web.pages.counter_profiles import ProfileList, RecordingForm
from croupier.web.parts.copying import copy_button
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refusal, refused
from croupier.web.parts.rules_panel import RulesPanel
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

ADDRESS = "/blackjack/counter"

_JOB = "blackjack-profile"

#: How often a recording is looked at, and how long after a move the page is saved.
_POLL_SECONDS, _SAVE_SECONDS = 0.5, 1.0


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an address asks for; the question is None where it names no slider."""

    rules: BlackjackRules
    system: str
    question: CounterQuestion | None
    is_named: bool

    @classmethod
    def read(cls, preset: str, settings: list[str], query: Mapping[str, str]) -> "_Wanted":
        """Read an address."""
        rules = rules_from_query(BLACKJACK, preset, settings)
        system = find_system(query.get("system", "hi-lo")).name
        question = CounterQuestion.from_query(query)
        is_named = bool(preset or settings or "system" in query)
        return cls(rules, system, question if question != CounterQuestion() else None, is_named)


def register(services: Services) -> None:
    """Put the page on its address."""

    @page(ADDRESS)
    async def blackjack_counter(
        request: Request, preset: str = "", settings: Annotated[list[str] | None, Query(alias="set")] = None
    ) -> None:
        async with frame(
            services, "nav.blackjack_counter", styles=("blackjack", "counter"), is_translated=True
        ) as visit:
            complaint = None
            try:
                wanted = _Wanted.read(preset, settings or [], request.query_params)
            except InputError as error:
                complaint = error
                wanted = _Wanted(BLACKJACK.presets[0].rules, "hi-lo", None, False)
            session = await services.sessions.open(
                visit.visitor, "blackjack-counter", fresh=CounterDesk, restore=CounterDesk.from_state
            )
            listed = await asyncio.to_thread(listed_profiles, services.settings.store)
            shown = _CounterPage(services, visit, session, wanted, listed)
            shown.build()
            if complaint is not None:
                refused(complaint)
            # Nothing is recorded for who only fetches the page.
            await ui.context.client.connected()
            await shown.open()


class _CounterPage:
    """One open Counter page."""

    def __init__(
        self,
        services: Services,
        visit: Visit,
        session: TableSession[CounterDesk],
        wanted: _Wanted,
        listed: tuple[ListedProfile, ...],
    ) -> None:
        self._services, self._visit, self._session = services, visit, session
        self._texts = visit.texts
        self._store = services.settings.store
        self._listed = listed
        self._profiles_turn = 0
        self._rules, self._system = wanted.rules, wanted.system
        self._is_named = wanted.is_named
        self._question = wanted.question or session.model.question
        self._profile: CountProfile | None = None
        self._answer: Answer | None = None
        self._complaint = ""
        #: Why rules have no profile, or what of an address a profile does not know; said until something is moved.
        self._refusal = ""
        self._is_moved = False
        self._job: Job[Recorded] | None = services.jobs.find(visit.visitor, _JOB)
        self._seen_run: int | None = None

    def build(self) -> None:
        """Put the page together; the answer comes first."""
        texts = self._texts
        tag("h1", texts("nav.blackjack_counter"))
        tag("p", texts("counter.intro"), "quiet")
        with tag("div", classes="counter-grid"):
            with tag(
                "section", classes="sheet stack counter-answer", aria_label=texts("counter.part.answer")
            ):
                self._head = Drawing(self._draw_head)
                self._bets = Drawing(self._draw_bets)
            self._controls = tag(
                "section", classes="sheet counter-controls", aria_label=texts("counter.part.bets")
            )
            with tag("div", classes="stack counter-more"):
                self._sheet("ruin", draw_ruin)
                self._sheet("ends", draw_ends)
                self._sheet("by_count", draw_by_count)
                self._sheet("figures", draw_more)
        with tag("div", classes="line"):
            copy_button()
        self._profiles = ProfileList(self._session.model, self._choose, self._name, self._compare)
        with tag("section", classes="sheet stack", aria_label=texts("counter.part.recording")):
            tag("h2", texts("counter.part.recording"))
            RulesPanel(BLACKJACK, self._rules, self._take_rules, rules_summary)
            self._form = RecordingForm(self._system, list(SYSTEMS), self._record)
            with tag("div", classes="line"):
                self._status = tag("p", "", "quiet", role="status", data_testid="recording")
                self._stopper = button(texts("counter.stop"), "record-stop", self._stop)
            self._bar = ui.linear_progress(0.0, show_value=False).props('aria-label="progress"')
        self._show_recording()
        ui.timer(_POLL_SECONDS, self._poll)
        ui.timer(_SAVE_SECONDS, self._save)

    def _sheet(self, name: str, paint: Any) -> None:
        with tag("section", classes="sheet stack", aria_label=self._texts(f"counter.part.{name}")):
            tag("h2", self._texts(f"counter.part.{name}"))
            drawing = Drawing(lambda: None if self._answer is None else paint(self._answer))
        self._drawings = [*getattr(self, "_drawings", []), drawing]

    # Profiles

    async def open(self) -> None:
        """Open the profile that the address or the visitor's last visit names; record a small one where there is none."""
        last = next((found for found in self._listed if found.run == self._session.model.run), None)
        if last is not None and not self._is_named:
            self._rules, self._system = last.rules, last.system
            await self._choose(last.run)
            return
        found = best_profile(self._listed, self._rules, self._system)
        if found is not None:
            await self._choose(found.run)
        elif self._job is None or self._job.state.is_over:
            self._record_ready()
        self._redraw()

    async def _choose(self, run: int) -> None:
        """Ask another profile."""
        try:
            profile = await asyncio.to_thread(opened_profile, self._store, run)
        except InputError as error:
            refused(error)
            return
        self._profile = profile
        self._rules, self._system = profile.rules, profile.strategy.system.name
        self._refusal = " ".join(map(refusal, self._question.refusals(profile)))
        self._question = self._question.fitted(profile)
        self._session.model.run = run
        self._controls.clear()
        with self._controls:
            CounterControls(profile, self._question, self._move)
        self._is_moved = True
        self._redraw()
        await self._show_profiles()

    async def _show_profiles(self) -> None:
        self._profiles_turn += 1
        turn = self._profiles_turn
        self._listed = await asyncio.to_thread(listed_profiles, self._store)
        answers = []
        for run in self._session.model.compared:
            listed = next((found for found in self._listed if found.run == run), None)
            if listed is not None:
                try:
                    other = await asyncio.to_thread(opened_profile, self._store, run)
                    name = self._session.model.names.get(run, f"{listed.system} · {run}")
                    answers.append((name, self._question.ask(other)))
                except InputError as error:
                    refused(error)
        if turn == self._profiles_turn:  # otherwise a later change is being shown, and these answers are old
            self._profiles.show(self._listed, answers)

    async def _name(self, run: int, name: str) -> None:
        await self._session.change(lambda desk: desk.name(run, name))

    async def _compare(self, run: int, on: bool) -> None:
        try:
            await self._session.change(lambda desk: desk.compare(run, on=on))
        except InputError as error:
            refused(error)
            self._profiles.uncheck(run)
        await self._show_profiles()

    async def _take_rules(self, rules: BlackjackRules) -> None:
        """Show another rule set: from its own profile, or record one."""
        self._rules = rules
        found = best_profile(self._listed, rules, self._system)
        if found is not None:
            await self._choose(found.run)
        else:
            self._record_ready()

    def _record_ready(self) -> None:
        """Record a small profile; rules that cannot be counted are told where the answer would be."""
        request = ready_request(self._rules, self._system)
        try:
            request.verify()
        except InputError as error:
            self._refusal = f"{refusal(error)} {self._texts('counter.other_rules')}"
            self._head.refresh()
        else:
            self._record(request)

    def _record(self, request: ProfileRequest) -> None:
        """Record a profile of the rules on this page in the background."""
        try:
            request = replace(request, rules=self._rules)
            request.verify()
        except InputError as error:
            refused(error)
            return
        work = partial(record_profile, request, self._store)
        self._job = self._services.jobs.start(
            self._visit.visitor, _JOB, work, kind="blackjack_profile", lane=Lane.LONG
        )
        self._seen_run = None
        self._refusal = ""
        self._head.refresh()
        self._show_recording()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    async def _poll(self) -> None:
        """Show how a recording goes; one that has ended is asked."""
        if self._job is None:
            return
        self._show_recording()
        state = self._job.state
        if state.is_over:
            self._job = None
            newest: Recorded | None = state.newest
            if state.status is Status.FAILED:
                self._refusal = state.error
                self._head.refresh()
            elif newest is not None and newest.run is not None:
                await self._choose(newest.run)

    def _show_recording(self) -> None:
        state = None if self._job is None else self._job.state
        is_running = state is not None and not state.is_over
        self._stopper.set_visibility(is_running)
        self._bar.set_visibility(is_running)
        if self._job is None or state is None:
            return
        newest: Recorded | None = state.newest
        self._bar.set_value(0.0 if newest is None else newest.share)
        self._status.set_text(self._recording_text(self._job, newest))

    def _recording_text(self, job: Job[Recorded], newest: Recorded | None) -> str:
        status = job.state.status
        if status is Status.WAITING:
            return waiting_text(self._services.jobs, job, self._texts)
        if status is Status.FAILED:
            return job.state.error
        if status is Status.STOPPED:
            return self._texts("counter.recording_stopped")
        if newest is None or newest.step == "preparing":
            return self._texts("counter.recording_preparing")
        if status is Status.DONE:
            return self._texts("counter.recording_done", run=newest.run)
        return self._texts("counter.recording_dealing", rounds=newest.rounds, all=newest.all_rounds)

    # Sliding

    def _move(self, name: str, value: Any) -> None:
        """Take a slider's new place, and redraw."""
        self._refusal = ""
        try:
            self._question = self._question.changed(name, value)
        except InputError as error:
            self._complaint = self._texts.shown(error.said)
            self._head.refresh()
            return
        self._is_moved = True
        self._redraw()

    def _redraw(self) -> None:
        """Ask the profile, and draw what it says; a question that makes no sense keeps the last answer."""
        self._complaint = ""
        if self._profile is not None:
            try:
                self._answer = self._question.ask(self._profile)
            except InputError as error:
                self._complaint = self._texts.shown(error.said)
        self._head.refresh()
        self._bets.refresh()
        for drawing in self._drawings:
            drawing.refresh()

    def _draw_head(self) -> None:
        for complaint in filter(None, (self._refusal, self._complaint)):
            draw("p", complaint, "counter-refusal", role="alert", data_testid="complaint")
        if self._answer is not None:
            draw_answer(self._answer)
        elif not self._complaint and not self._refusal:
            draw("p", self._texts("counter.no_profile"), "quiet", data_testid="headline")

    def _draw_bets(self) -> None:
        if self._answer is not None:
            draw_bets(self._answer)

    async def _save(self) -> None:
        """Save the sliders and put them into the address, once they rest."""
        if not self._is_moved:
            return
        self._is_moved = False
        question = self._question
        query = address_of(rules_to_query(BLACKJACK, self._rules), self._system, question)
        ui.navigate.history.replace(f"{ADDRESS}?{query}")

        def keep(desk: CounterDesk) -> None:
            desk.question = question

        await self._session.change(keep)
        if self._session.model.compared:
            await self._show_profiles()
