"""Solves boards by the thousand, here or on a cluster, into a file that can be gone on with."""
