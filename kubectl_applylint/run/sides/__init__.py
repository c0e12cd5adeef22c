"""A side of a comparison: the files of a revision, of the work tree or of a directory, and the units in them."""
