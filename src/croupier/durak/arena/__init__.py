"""Durak's arena: engines as real processes, a referee who survives any of them, matches one can believe."""
