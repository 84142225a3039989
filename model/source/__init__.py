"""Text: files become trees of values that know where they stand, or errors with a place."""
