"""The rules of DONUTS as values and pure functions: no IO, no clock, no hidden randomness."""
