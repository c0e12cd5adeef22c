"""Errors that kubectl has printed, read and explained by the rules."""
