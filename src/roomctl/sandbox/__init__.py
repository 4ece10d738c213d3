"""The service in miniature: every operation over SQLite, in this process or over HTTP on this machine."""
