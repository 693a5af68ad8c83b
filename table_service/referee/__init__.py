"""The referee: actions against rules → irregularities, their remedies, and the sanctions the arbitro has imposed."""
