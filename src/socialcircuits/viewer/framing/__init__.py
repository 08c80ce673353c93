"""The tables of a run for the page, one small function each; `socialcircuits.viewer.frames` names
them."""
