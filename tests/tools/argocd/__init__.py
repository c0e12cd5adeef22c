"""Tests of what Argo CD does to one object, and to a set."""
