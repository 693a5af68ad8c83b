"""The console's routes, a module for each family of pages. Each makes its router from the shared ``Pages``."""
