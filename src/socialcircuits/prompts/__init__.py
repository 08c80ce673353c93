"""Every word that is sent to a model: Markdown files with front matter, composed by section.

A prompt is made of sections (`SECTIONS`, and one for each thing heard, such as ``memory``). A file
says in its front matter which section it is and, under ``for``, where it applies: ``world``,
``protocol``, ``role``, ``purpose``, ``variant``, ``view`` (image, text, blind), ``form`` (label,
reasoned), ``wording``, each one value or a list of them. Of the files that fit a place the most
specific one is taken: the one that says most under ``for``. The lookup is `find`. Who the agents of
a chatroom are stands in a table of its own, `personas`.
"""

from socialcircuits.prompts.library import SECTIONS, Place, Prompt, check, demand, find, library
from socialcircuits.prompts.people import Persona, personas
from socialcircuits.prompts.quoting import quote
from socialcircuits.prompts.wordings import RELEASED, WORDINGS, wording

__all__ = [
    "RELEASED",
    "SECTIONS",
    "WORDINGS",
    "Persona",
    "Place",
    "Prompt",
    "check",
    "demand",
    "find",
    "library",
    "personas",
    "quote",
    "wording",
]
