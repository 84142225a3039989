"""Two editions of a game: what differs in their text, and what that does at the table."""
