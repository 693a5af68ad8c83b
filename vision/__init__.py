"""The camera's room: calibration by printed markers, finding and reading card corners, sightings of a table.

``Watcher`` (``vision.sightings``) follows a table through its frames; ``see_image`` (``vision.see``) reads one
photograph. Both use a ``Reader`` (``vision.index_reader``), which holds the two networks under ``vision/weights``.
"""

import os

# onnxruntime (1.31) otherwise writes a device's number into the home folder and reports its use to its makers; a card
# table sends nothing outside the hall. Read when onnxruntime is first imported, so it is set before any of it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
