"""What is found, and how it is told: observations, evidence, titles in the words of a game."""
