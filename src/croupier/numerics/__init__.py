"""Numbers: compiled kernels, random streams, statistics, numbers as text."""
