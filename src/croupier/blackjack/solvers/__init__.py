"""Who plays well: exact expected values and optimal strategies for any rules and any shoe."""
