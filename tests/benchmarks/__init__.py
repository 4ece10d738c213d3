"""Figures of speed and memory, as ratios to other programs; run by hand, never by the tests."""
