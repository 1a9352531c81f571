"""What is kept of a match: records, the journal, PGN, the wire; written once, read back the same."""
