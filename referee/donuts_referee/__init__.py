"""The referee: it starts programs it has never seen, plays them against each other and judges."""
