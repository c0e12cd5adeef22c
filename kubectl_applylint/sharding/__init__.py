"""A run that several machines share: shards, the part files that they write, and the merged report."""
