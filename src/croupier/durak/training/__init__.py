"""Makes the weights of the master's value network from self-played games: ``python -m croupier.durak.training FILE``."""
