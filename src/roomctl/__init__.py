"""The command line of room administrators."""

__version__ = "0.1.0"
