"""The verbs of the command `tavolo`: each module does the work of one, or of a few that belong together."""
