"""Plans: clauses' bodies with obligations made explicit; one file for each family of verbs."""
