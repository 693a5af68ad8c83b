"""A rehearsed round: its script, the truth beside its log, both compared, and the report; the players are a game's."""
