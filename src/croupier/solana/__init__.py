"""Blackjack on Solana: the program, its tool chain, its client, and the verification of games.

The on-chain program is written in C (``program/``). The clang of PyPI's ``ziglang`` compiles it and
:mod:`~croupier.solana.toolchain.linker` links it. :mod:`~croupier.solana.layout` and :mod:`~croupier.solana.events`
decode its account and its logs, :mod:`~croupier.solana.instructions` builds its instructions,
:mod:`~croupier.solana.model` is the same game in Python, and :mod:`~croupier.solana.verification` recomputes every
card of a game from public data. :mod:`~croupier.solana.cluster_game` plays on a cluster;
:mod:`~croupier.solana.rpc_server` serves a :mod:`~croupier.solana.localnet` over JSON-RPC.
"""

from croupier.extras import needs

needs("solana")
