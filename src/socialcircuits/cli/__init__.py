"""The command line. One file a verb; heavy libraries are imported when a verb runs."""

from socialcircuits.cli.app import main

__all__ = ["main"]
