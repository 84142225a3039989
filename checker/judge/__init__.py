"""From observations to findings: extent, roots and consequences, ways out, rank."""
