"""Records of boards in the Portable Bridge Notation (PBN 2.1): read, judged, written.

- ``reading``: a file's games as tags and the words of their sections, whatever is wrong with them.
- ``record``: a game as a board: deal, auction, play, contract, result, with every error, its line and its tag.
- ``lin``: LIN files as such games.
- ``check``: whether deal, auction, play and score hold. ``writing``: games as text that reads back as the same.
"""
