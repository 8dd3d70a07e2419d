"""Several players at one table: exact for two. See ``docs/methods/banluck-table.md``."""
