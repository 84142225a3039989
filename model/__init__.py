"""What a game is: reading specs, rules, states, steps, and the door to the solver."""
