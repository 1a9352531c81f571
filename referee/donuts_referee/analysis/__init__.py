"""What was right and wrong in games that were played: every move against the exact values of the solver."""
