"""What is asked of a game: explorations, proofs, and their results."""
