"""One verification: what it has at hand and has found so far, and how its questions are asked."""
