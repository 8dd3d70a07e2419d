"""What all pages of a web app share."""

from dataclasses import dataclass

from croupier.web.jobs import Jobs
from croupier.web.sessions import TableSessions
from croupier.web.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """One lab: its settings, its rooms, its jobs."""

    settings: Settings
    sessions: TableSessions
    jobs: Jobs
