"""Which applies a repository means: the units that its layout, its objects and its configuration name."""
