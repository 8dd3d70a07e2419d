"""What the games share and no game owns: rules as data, and reading files."""
