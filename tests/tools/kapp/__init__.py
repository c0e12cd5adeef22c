"""Tests of the parts about kapp."""
