"""A room set as a file that is kept in git, brought to the service, and brought back.

    service ──look──▶ Current ──exported──▶ text
    text ──read──▶ EventFile ──findings──▶ what is wrong with it
    EventFile + Current + History ──planned──▶ steps ──▶ shown, kept, or sent one after the other

A plan is data: what is printed, checked and sent are the same steps.
"""
