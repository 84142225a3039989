"""Generated Python: the successor function of a machine on packed states."""
