"""A value → text. Untrusted text passes `safe()`, and every writer writes through a `Wall`."""
