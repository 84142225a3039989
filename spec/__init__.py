"""The rules as data: the bundled games and the schema of their files."""
