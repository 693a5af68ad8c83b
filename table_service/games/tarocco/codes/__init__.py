"""The tournament rules as data: ``tournament`` holds the rows of the catalogue, and which fault each answers."""
