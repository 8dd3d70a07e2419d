"""From C to a Solana program: compiler, linker, executable formats."""
