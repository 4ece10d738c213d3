"""The commands: what a person types. Everything may be imported here; nothing but `manual` imports this."""
