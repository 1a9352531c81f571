"""The command `donuts`: one file per subcommand; the wiring of the rooms and nothing else."""
