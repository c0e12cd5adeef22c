"""How Flux' kustomize-controller applies a set: what it sends, cleans up, recreates and prunes, and where it stops."""
