"""Documents that commands read and write: positions, plays, findings."""
