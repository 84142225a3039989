"""Open points: what they are, and whether their readings can be told apart."""
