"""The bots that are shipped: `random` and `greedy`, to play against and to read."""
