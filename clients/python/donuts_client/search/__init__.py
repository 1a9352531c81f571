"""How the shipped bots that think do it: a position judged at rest, two searches, and what of the time they may use."""
