"""Bridge by the FIGB norms of 2010 on the Code of 2007: so far its contracts, auctions and scores (``rules``)."""
