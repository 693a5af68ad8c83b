"""The editions of the rules as data: a folder a code, with its rule book and its catalogue of irregularities."""
