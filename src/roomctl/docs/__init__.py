"""The command tree as a table → `completions/`, `man/` and the package's `help/`; `pytest --update` writes them."""
