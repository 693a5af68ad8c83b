"""Steps of the archive's tables, each with its way back; ``migrating.py`` runs them with Alembic."""
