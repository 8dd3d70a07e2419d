"""What the games share and no game owns: rules, files, random streams, statistics, parallel runs and their store."""
