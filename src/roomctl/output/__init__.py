"""A value → text: columns, writers, rich tables and trees, pictures, errors. Untrusted text passes `safe()`."""
