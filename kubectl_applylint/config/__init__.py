"""What a run was asked for: flags, variables, configuration files, and which of them are trusted."""
