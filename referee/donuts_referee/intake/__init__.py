"""Builds and checks what teams hand in, and writes each team a report of its own."""
