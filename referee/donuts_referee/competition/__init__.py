"""A competition: one file says what it is, schedulers say who meets whom, and the journal says how far it is."""
