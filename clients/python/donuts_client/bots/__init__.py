"""The bots that are shipped, to play against and to read: `random`, `greedy`, `alphabeta`, `mcts` and `perfect`."""
