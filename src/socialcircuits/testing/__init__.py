"""Public kits: check a world, a protocol or an agent of one's own against the rules of the house."""
