"""Long work: numbered blocks, executors, the results store, saving and resuming."""
