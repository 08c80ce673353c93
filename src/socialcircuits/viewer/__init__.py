"""The web viewer: runs as a page of one file that works offline, served on this machine, or
in a notebook.

Python writes heads, trials and tables (`chunks`, `frames`); the page, built from ``viewer/`` and
shipped beside this file, draws them.
"""

from socialcircuits.viewer.export import export
from socialcircuits.viewer.notebook import Embedded
from socialcircuits.viewer.server import Server

__all__ = ["Embedded", "Server", "export"]
