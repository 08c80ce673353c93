"""Public kits: check a world, a protocol or an agent of one's own against the house rules."""
