"""Reports: a run in, tables and figures out."""
