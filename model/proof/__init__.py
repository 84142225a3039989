"""Proofs: what holds in every state of the printed game, by induction."""
