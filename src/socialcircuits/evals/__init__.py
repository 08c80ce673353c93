"""Inspect: our studies as its tasks, simulated agents as its model, runs as its logs."""
