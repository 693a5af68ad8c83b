"""Faults at a table with screens, and what follows (FIGB norms, app. 4; the Code of 2007): pure functions.

- ``sides``: who sits on which side of the screen. ``tray``: calls on the tray in any order, and who passed it.
- ``verdict``: what a judge says. ``calls``: irregular calls. ``call_laws``: what laws 26 to 32 then prescribe.
- ``opening_lead``: leads before the aperture opens. ``tempo``: the tray's time on either side, alerts, the stop card.
- ``revoke_tricks``: revokes, when established, and their tricks. ``penalty_cards``: cards that a defender has exposed.

A judge names the fact's row of the catalogue (``codes.figb2010``); the arbitro decides.
"""
