"""Reads errors that kubectl has printed and explains them by rules."""
