"""Who plays well, from a rule of thumb up."""
