"""The federation's page: the console's application in another role, over the archive of all halls.

Accounts, guards, the door, the log, templates and words are the console's own; the pages here read the archive. Hidden
cards are on none of them: the archive has none.
"""
