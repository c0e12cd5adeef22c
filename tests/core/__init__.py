"""Tests of the terms that all layers use: values and places in them, objects, knowledge about them, outcomes."""
