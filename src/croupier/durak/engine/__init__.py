"""The rules of two-player durak, its protocol and its game records. Pure: the deck is handed in.

Import from the modules. This package loads nothing by itself, because engines are processes that start by the thousand:
:mod:`~croupier.durak.engine.pack`, :mod:`~croupier.durak.engine.observation` and
:mod:`~croupier.durak.engine.protocol` need the standard library only.

Examples
--------
>>> from croupier.durak.engine.actions import answer
>>> from croupier.durak.engine.dealing import start
>>> from croupier.durak.engine.pack import PACK, cards_text, read_card
>>> from croupier.durak.engine.rules import DurakRules
>>> game = start(DurakRules(), PACK, leader=0)
>>> cards_text(game.hands[0]), cards_text([game.trump])
('6C 6D 6H 6S 7C 7D', 'AS')
>>> game = answer(game, (read_card("6S"),))
>>> game.phase, game.to_act
(<Phase.DEFEND: 'defend'>, 1)
"""
