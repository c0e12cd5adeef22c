"""What keeps a finding from being shown: comments and annotations, the configuration, a baseline."""
