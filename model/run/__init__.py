"""Running: the reference interpreter, the judge of every other engine."""
