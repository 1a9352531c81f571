"""`donuts check`: asks a bot everything that SPEC.md requires of one, and tells its author what is wrong."""
