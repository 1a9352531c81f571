"""Measures the referee: what a ply costs it, beside what the system alone asks for."""
