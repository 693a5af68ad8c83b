"""The camera's room: calibration by printed markers, finding and reading card corners, sightings of a table.

``Watcher`` (``vision.sightings``) follows a table through its frames; ``see_image`` (``vision.see``) reads one
photograph. Both use a ``Reader`` (``vision.reader``), which holds the two networks under ``vision/weights``.
"""
