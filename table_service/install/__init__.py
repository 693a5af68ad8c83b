"""`tavolo install`: from a bare Raspberry Pi OS to a table (or a hall's console) that starts by itself.

``plan`` makes the steps (data, pure), ``execute`` finds out which are done and does the rest, under a root folder of
its own if a test wants one, ``command`` is the command line. Only the standard library is used, so that the system's
own Python can run it before anything of Tavolo's is installed: ``python3 -m table_service.install``.
"""
