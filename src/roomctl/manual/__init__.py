"""The command tree → `man/` and `completions/`: what a person reads offline and what a shell offers at Tab."""
