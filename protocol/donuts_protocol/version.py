"""Which DBP this code speaks, and which edition of its specification it was written from."""

PROTOCOL_VERSION = 1
"""The one version of DBP in this package, as it stands in `hello donuts=` and `welcome donuts=`."""

DBP = "1.2.0"
"""The edition of SPEC.md, which has a version of its own: major = protocol, minor = additions, patch = wording."""
