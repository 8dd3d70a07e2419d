"""Several players at one table: exact for two, sampled for more. See ``docs/solving-banluck-table.md``."""
