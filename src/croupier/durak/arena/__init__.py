"""Matches between durak engines: processes, a referee that survives any of them, ratings with their error."""
