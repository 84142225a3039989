"""Orders that nobody states: what hangs on them, by what comes out and by who knows what."""
