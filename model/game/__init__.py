"""The game: what a spec declares, typed; the syntax of rule texts and its printer."""
