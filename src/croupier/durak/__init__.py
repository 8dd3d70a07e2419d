"""Durak for two: rules engine, protocol, players and the arena in which engines meet."""
