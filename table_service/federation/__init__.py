"""An archive beyond one hall: what many halls' tables say, verified, kept once in PostgreSQL, gaps had from journals.

Each hall's broker passes its tables' public events on (``bridge_files``); any number of workers share them
(``shared_subscription``), believe only what a table of that hall signed (``verified_events``) and write it so that
nothing is kept twice (``archive_writer``). One of them looks for missing numbers and asks the tables (``gap_leader``).
"""
