"""Text below everything else: what others wrote made harmless, JSON, moments."""
