"""Questions whose answers settle what a book leaves open: situations, and how each may go on."""
