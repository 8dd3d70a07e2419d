"""Charts that evolve, by exact or simulated fitness."""
