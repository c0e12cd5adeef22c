"""Owners, the history of fields, and the steps to other owners."""
