"""What all pages of a lab share."""

from dataclasses import dataclass

from croupier.web.jobs import Jobs
from croupier.web.rooms import Rooms
from croupier.web.settings import Settings


@dataclass(frozen=True, slots=True)
class WebLab:
    """One lab: its settings, its rooms, its jobs."""

    settings: Settings
    rooms: Rooms
    jobs: Jobs
