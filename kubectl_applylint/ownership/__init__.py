"""Field ownership of live objects: owners, history, and safe steps to another owner or another applier."""
