"""The ``croupier`` command: thin files over the rooms of the house, one a game."""
