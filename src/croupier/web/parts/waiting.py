"""What a waiting job waits for, in words."""

from typing import Any

from croupier.texts import Texts
from croupier.web.jobs import Job, Jobs


def waiting_text(jobs: Jobs, job: Job[Any], texts: Texts) -> str:
    """Say what a waiting job waits for.

    >>> jobs = Jobs()
    >>> job = jobs.start("ann", "sum", lambda _: 45)
    >>> waiting_text(jobs, job, Texts("en"))
    'Starting …'
    >>> jobs.close()
    """
    ahead = jobs.ahead_of(job)
    if not ahead:
        return texts("jobs.starting")
    return texts("jobs.waiting", work=", ".join(texts(f"jobs.{kind}") for kind in ahead))
