"""A laboratory for how beliefs form, spread and collapse in groups of AI agents."""
