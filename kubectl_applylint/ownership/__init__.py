"""Who owns what of live objects, how that came about, and the safe steps to another owner or another applier."""
