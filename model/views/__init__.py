"""Views of a game for people: graph, drawing, wording, trace, lint."""
