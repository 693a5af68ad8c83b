"""Our own French-suited pack, drawn by code and licensed with the project: faces, backs, and their pictures.

``style`` says how a variant looks, ``glyphs`` holds the outlines, ``courts`` the figures, ``faces`` puts a card
together as SVG, ``raster`` makes pixels of it. No font and no foreign artwork takes part.
"""
