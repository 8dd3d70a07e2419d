"""Test suites for engines, as text files; :mod:`~croupier.durak.arena.endgame_suite` reads them."""
