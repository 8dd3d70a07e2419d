"""What the strategies of Banluck are worth: simulation with real cards."""
