"""The state to compare manifests with: a cluster, a snapshot, earlier manifests, or the last-applied annotations."""
