"""Validation of custom resources against their definitions: schemas, embedded objects, lists and rules in CEL."""
