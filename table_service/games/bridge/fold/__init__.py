"""A board of bridge at one table: acts become auction, leads, tricks and result; what may be told, and to whom.

- ``heard``: what people say and rule, as acts beside those that sensors show. ``course``: the board as a value, folded
  from acts. ``auction_course``, ``play_course``: its parts. ``charges``: what is wrong in it, by rows of the catalogue.
- ``veil``: which calls and leads the other side may know. ``telling``: events. ``reporting``: charges as
  irregularities. ``counting``: the score. ``public_state``: the topic ``state``. ``game``: the game behind the seam.
"""
