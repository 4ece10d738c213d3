"""The commands: what a person types. Everything may be imported here; nothing but `docs` imports this."""
