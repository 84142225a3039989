"""Search: exploration, random plays, and what can be shown by them."""
