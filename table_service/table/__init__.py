"""The fold of one table, whatever game is played at it: observations → movements → a game's actions → events.

A pure fold; the same log gives the same bytes. ``game_fold`` feeds the parts in their order; ``game`` is the seam: what
a game must answer, and the values it is given. ``table`` builds the parts that a game finds here:

- ``voice`` numbers and dates events; ``reporting`` tells what a referee finds, ``finding_payloads`` in which words.
- ``round_state`` is the round with its result; ``deal_sheets`` its score sheets, over ``score_items`` and ``scores``;
  ``console_orders`` what the arbitro orders; ``resuming`` a round that goes on after a restart.
- ``deferral`` holds back what would accuse; ``sensor_health`` and ``gates`` what can be relied on; ``notices`` calls
  and sensors; ``public_state`` the public table.

No game, no article and no row of a catalogue is known here.
"""
