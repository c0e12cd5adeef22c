"""Everything that a run looks at: manifests, what is known of the cluster, and both made into subjects."""
