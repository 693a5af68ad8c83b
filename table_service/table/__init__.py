"""The fold of one table, whatever game is played at it: observations → movements → a game's actions → events.

A pure fold; the same log gives the same bytes. ``game_fold`` feeds the parts in their order; ``game_protocol`` is the
interface: what a game must answer, and the values it is given. ``table_parts`` builds the parts that a game finds here:

- ``voice`` numbers and dates events; ``reporting`` emits a referee's findings, ``finding_payloads`` words them.
- ``round_state`` is the round with its result; ``deal_sheets`` its score sheets, over ``score_items`` and ``scores``;
  ``console_orders`` the arbitro's orders; ``resuming`` a round that continues after a restart.
- ``deferral`` holds back what would accuse; ``sensor_health`` and ``gates`` what can be relied on; ``notices`` calls
  and sensors; ``public_state`` the public table.

No game, no article and no row of a catalogue is known here.
"""
