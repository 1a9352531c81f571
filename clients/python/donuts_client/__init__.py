"""What a Python bot needs to play: a class with one method, and `run`."""
