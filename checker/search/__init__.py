"""Search: exploration, products of machines, random play, on all cores."""
