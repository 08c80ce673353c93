"""One file a rubric."""
