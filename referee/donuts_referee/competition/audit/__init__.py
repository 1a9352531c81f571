"""Verifies an event as others hand it on: every line, move and verdict, and what is said to follow from them."""
