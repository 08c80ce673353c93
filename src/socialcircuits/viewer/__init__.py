"""The web viewer: runs as a page of one file that works offline, or served on this machine.

Python writes heads, trials and tables (`chunks`, `frames`); the page, built from ``viewer/`` and
shipped beside this file, draws them.
"""

from socialcircuits.viewer.export import export, page
from socialcircuits.viewer.server import Server

__all__ = ["Server", "export", "page"]
