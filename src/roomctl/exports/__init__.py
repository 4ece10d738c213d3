"""A long list to a file, and the proof that the file is whole.

`export` is the whole way; `reading` takes the pages of a list to a part file, which `formats` and their codecs turn
into the export. `exported` reads it back, and checks it, also for `diff`; `attendance` and `stats` work on its rows.
"""
