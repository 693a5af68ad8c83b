"""Our own packs, drawn by code and licensed with the project: the French-suited one and the tarocco bolognese.

``style`` says how a variant looks, ``glyphs`` holds the outlines, ``courts`` the figures, ``faces`` puts a card
together as SVG; ``trionfi``, ``latin_suits`` and ``tarocco_courts`` draw what ``tarocco`` puts together; ``raster``
makes pixels of it. No font and no foreign artwork takes part.
"""
