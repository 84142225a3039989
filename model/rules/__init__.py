"""Rules: names, types and meanings of expressions; what plans are made of."""
