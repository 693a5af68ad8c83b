"""The games: rules without sensors. Each knows its cards, its play, its reading of movements and its score."""
