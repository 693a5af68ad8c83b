"""Train the networks of ``vision``, count how well they read, and time them."""
