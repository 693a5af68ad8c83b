"""Pages about the codes that the documentation is made of: each catalogue, and the codes side by side."""
