"""Commands: one thin file each."""
