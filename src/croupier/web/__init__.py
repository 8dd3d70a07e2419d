"""The web app: tables, trainers, simulators and replays of all games in the browser, served from this machine."""

from croupier.extras import needs

needs("web")
