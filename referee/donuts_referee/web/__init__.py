"""Pages for onlookers, drawn from what is kept: they open from disk and need nothing else."""
