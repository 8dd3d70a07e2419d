"""Jobs: progress, stopping, failing and waiting."""

import threading

import pytest

from croupier.errors import InputError
from croupier.texts import Texts
from croupier.web.jobs import REMEMBERED_JOBS, Jobs, JobState, Lane, Report, Status
from croupier.web.parts.waiting import waiting_text


@pytest.fixture
def jobs() -> Jobs:
    return Jobs(workers=1)


class Endless:
    """Work that runs until it is stopped, and signals its start."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(self, report: Report) -> None:
        for step in range(10**9):
            report(step)
            self.begun.set()


def test_a_job_shows_how_far_it_is_and_what_came_out(jobs: Jobs) -> None:
    def work(report: Report) -> str:
        report({"done": 1})
        return "all of it"

    job = jobs.start("ann", "count", work)
    jobs.close()
    assert job.state == JobState(Status.DONE, {"done": 1}, "all of it")


def test_a_job_stops_at_its_next_report(jobs: Jobs) -> None:
    work = Endless()
    job = jobs.start("ann", "endless", work)
    assert work.begun.wait(30)
    job.stop()
    jobs.close()
    assert job.state.status is Status.STOPPED
    assert job.state.result is None


def test_what_was_seen_of_a_job_stays_as_it_was_when_the_job_goes_on(jobs: Jobs) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work(report: Report) -> str:
        report("half of it")
        begun.set()
        assert may_end.wait(30)
        return "all of it"

    job = jobs.start("ann", "count", work)
    assert begun.wait(30)
    seen = job.state
    assert job.state is seen, "as long as nothing changes there is nothing new to show"
    may_end.set()
    jobs.close()
    assert seen == JobState(Status.RUNNING, "half of it")
    assert (seen.is_over, seen.newest) == (False, "half of it")
    assert (job.state.is_over, job.state.newest) == (True, "all of it")


def test_a_new_job_of_the_same_name_stops_the_earlier_one(jobs: Jobs) -> None:
    earlier = jobs.start("ann", "solve", Endless())
    later = jobs.start("ann", "solve", lambda report: 42)
    jobs.close()
    assert earlier.state.status is Status.STOPPED
    assert later.state.result == 42
    assert jobs.find("ann", "solve") is later


def test_visitors_do_not_stop_each_other() -> None:
    jobs, work = Jobs(workers=2), Endless()
    hers = jobs.start("ann", "solve", work)
    jobs.start("bob", "solve", lambda report: None)
    assert work.begun.wait(30)
    assert hers.state.status is Status.RUNNING
    assert jobs.find("ann", "solve") is hers
    jobs.stop_all()
    jobs.close()


def test_a_job_that_waits_can_be_stopped_before_it_begins(jobs: Jobs) -> None:
    first = jobs.start("ann", "one", Endless())
    waiting = jobs.start("ann", "two", lambda report: pytest.fail("it was stopped"))
    waiting.stop()
    assert waiting.state.status is Status.STOPPED
    first.stop()
    jobs.close()
    assert waiting.state.status is Status.STOPPED


def test_bad_input_fails_a_job_with_its_line(jobs: Jobs) -> None:
    def work(report: Report) -> None:
        raise InputError("decks 99: at most 8")

    job = jobs.start("ann", "solve", work)
    jobs.close()
    assert job.state == JobState(Status.FAILED, error="decks 99: at most 8")


def test_a_defect_fails_a_job_and_is_logged(jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    job = jobs.start("ann", "solve", lambda report: 1 // 0)
    jobs.close()
    assert job.state == JobState(Status.FAILED, error="It failed; see the server's log for the reason.")
    assert "ZeroDivisionError" in caplog.text


def test_ended_jobs_are_forgotten_before_they_fill_the_memory(jobs: Jobs) -> None:
    visitors = [f"visitor {number}" for number in range(REMEMBERED_JOBS + 50)]
    for visitor in visitors:
        assert jobs.start(visitor, "solve", lambda report: None).wait(30)
    jobs.close()
    remembered = [visitor for visitor in visitors if jobs.find(visitor, "solve") is not None]
    assert remembered == visitors[-len(remembered) :]
    assert REMEMBERED_JOBS <= len(remembered) <= REMEMBERED_JOBS + 1


def test_a_solve_does_not_wait_for_long_work_and_long_work_says_what_it_waits_for(jobs: Jobs) -> None:
    match = Endless()
    running = jobs.start("ann", "match", match, kind="durak_match", lane=Lane.LONG)
    assert match.begun.wait(30)
    waiting = jobs.start("ann", "simulate", lambda _: None, kind="blackjack_simulation", lane=Lane.LONG)
    solved = jobs.start("ann", "solve", lambda _: "solved")
    assert solved.wait(30), "the lane of short jobs is free"
    assert waiting.state.status is Status.WAITING
    assert waiting_text(jobs, waiting, Texts("en")) == "Waiting for other work: a durak match."
    running.stop()
    assert waiting.wait(30)
    assert waiting.state.newest is None
    jobs.close()
