"""Tests of the defaults, one module a group."""
