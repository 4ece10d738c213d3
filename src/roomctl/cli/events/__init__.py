"""`roomctl roomset export`, `plan`, `apply`, `lint`, `schema`: a room set as a file."""
