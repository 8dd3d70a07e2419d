"""What all pages of the web app share."""

from dataclasses import dataclass

from croupier.web.jobs import Jobs
from croupier.web.played import PlayedHands
from croupier.web.sessions import TableSessions
from croupier.web.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The web app's settings, sessions, finished hands and jobs."""

    settings: Settings
    sessions: TableSessions
    played: PlayedHands
    jobs: Jobs
