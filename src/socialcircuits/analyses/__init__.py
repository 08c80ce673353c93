"""Analyses: what follows from finished runs, and from trials that are run to find it out."""
