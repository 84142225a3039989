"""Write a card game's rules as data, and have them proved."""

__version__ = "0.1.0"
