"""Tests of what Flux does to one object, and to a set."""
