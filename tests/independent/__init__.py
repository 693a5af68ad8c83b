"""A generator of logs written from the contract alone, by other means than the project's twin: a second opinion."""
