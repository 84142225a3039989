"""The worked examples of a rulebook: set up, played and compared."""
