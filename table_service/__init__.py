"""One table's service: what happened, what the rule book says of it, and who is told."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("tavolo-table")
except PackageNotFoundError:  # run from a folder that was never installed
    __version__ = "0+unknown"
