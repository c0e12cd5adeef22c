"""Validation of the schemas in CustomResourceDefinitions."""
