"""The bench: a game's instances under all settings, and what is kept of the questions to them."""
