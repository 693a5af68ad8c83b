"""The documentation as a site (Sphinx, MyST, furo): `make docs` builds it into site/ and fails on any warning."""

import table_service.rulesets  # noqa: F401  # loaded before autodoc, which sets TYPE_CHECKING: pydantic refuses that

project = "Tavolo"
copyright = "the Tavolo founders"  # noqa: A001
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["schema/*.json"]
html_theme = "furo"
html_title = "Tavolo"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints = "description"
autodoc_preserve_defaults = True
