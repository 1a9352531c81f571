"""The version of the distribution, kept apart from the version of the protocol."""

__version__ = "0.1.0"
