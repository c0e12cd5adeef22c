"""Tells what ``kubectl apply`` will do to the live objects, before anybody applies."""

__version__ = "0.1.0"
