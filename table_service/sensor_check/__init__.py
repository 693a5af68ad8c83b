"""`tavolo doctor --walk`: from an empty table to a verdict, one sensor after the other.

The list is data (``hw.board.procedure``); ``tasks`` unfolds it for a table, ``trials`` and its neighbours judge what is
heard (pure: no clock, no devices), ``course`` keeps what was found and can take up a walk that was broken off,
``leading`` has the person, the nodes and the camera.
"""
