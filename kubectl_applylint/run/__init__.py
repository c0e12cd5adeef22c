"""All that a run looks at: files, revisions, clusters and snapshots, read once for program, hooks and library."""
