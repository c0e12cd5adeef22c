"""What manifests are compared with: a cluster, a snapshot, earlier manifests, or what was last applied."""
