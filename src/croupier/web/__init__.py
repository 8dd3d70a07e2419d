"""The web app: tables, explorers, laboratories and replays of all games in the browser, served from this machine."""
