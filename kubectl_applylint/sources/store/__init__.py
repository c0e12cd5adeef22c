"""Charts from registries and Helm repositories: the store, and the downloads that fill it."""
