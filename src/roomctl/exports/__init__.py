"""A long list to a file, and the proof that the file is whole."""
