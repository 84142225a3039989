"""Loading: a game's folder becomes a `Game` for given settings, or a list of errors."""
