"""Predicts what ``kubectl apply`` will do to the live objects."""

__version__ = "0.2.0"
