"""Everything that takes a long list to a file, and the proof that a list is whole.

`listing` reads a list to its proven end; `engine` takes it to a file that survives interruption; `check`, `diff`,
`stats` and `attendance` work on what was read. Each takes its client as an argument; nothing here knows of HTTP.
"""
