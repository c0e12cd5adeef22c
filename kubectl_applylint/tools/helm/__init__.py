"""How Helm 3 and 4 write the objects of a release: what they go by, in which order, and when they stop."""
