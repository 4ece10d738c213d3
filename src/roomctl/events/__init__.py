"""An evening as a file: a room set that is kept in git, brought to the service, and brought back.

    service ──look──▶ Current ──exported──▶ text
    text ──read──▶ Evening ──findings──▶ what is wrong with it
    Evening + Current + History ──planned──▶ steps ──▶ shown, kept, or sent one after the other

A plan is data: what is printed, checked and sent are the same steps.
"""
