"""One table's service: what happened, what the rule book says of it, and who is told."""
