"""The code of bridge as data: the FIGB norms of 2010, on the Code of 2007."""
