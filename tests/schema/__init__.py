"""Tests of the schema layer."""
