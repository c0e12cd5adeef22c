"""Helm 3 and 4: predicts how they write the objects of a release, in which order, and when they stop."""
