"""Blackjack on Solana: the program, its tool chain, its client, and the proof that a game was fair.

The on-chain program is C (``program/``), compiled by the clang of PyPI's ``ziglang`` and linked by
:mod:`~croupier.solana.toolchain.linker`. :mod:`~croupier.solana.layout` and :mod:`~croupier.solana.events` read what it keeps and
logs, :mod:`~croupier.solana.instructions` builds what it accepts, :mod:`~croupier.solana.model` is the same game in
Python, and :mod:`~croupier.solana.verification` recomputes every card of a game from public data.
:mod:`~croupier.solana.cluster_game` plays on a cluster; :mod:`~croupier.solana.rpc_server` puts a
:mod:`~croupier.solana.localnet` behind JSON-RPC for that.
"""
