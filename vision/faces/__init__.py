"""Reading a card by its whole face: propose, compare what is visible, decide, follow.

A pack's faces are data (``prints``, ``index``; of a bidding box the finer cells of ``box``), and so is the geometry:
a *pose* for a card that may lie anywhere, a place in a row for one in a compartment (``geometry``, ``box_places``).

- Propose: by outlines (``outlines``, ``view_outlines``), by keypoints off the ground (``ground``, ``keypoints``),
  beside the card above in a row (``strips``), by left edges in a compartment (``box_places``).
- Compare: cells of what shows with those of all faces, block by block, strip by strip or by what parts two faces
  (``blocks``, ``face_differences``, ``box``, ``suit_signs``), each after the place was corrected (``candidates``).
- Decide: a face that nothing in sight contradicts, while every other is contradicted; else ``??`` (``decisions``,
  ``finding`` for cards anywhere, ``box_rows`` for a compartment, ``tray_rows`` for a photograph of the tray).
- Follow: read what changed and is at rest, keep what looks as it did (``face_follower``, ``tray_reader``,
  ``bridge_follower``; the clock and the deal are those of ``vision.following``).
"""
