"""Fidelity of predictions: recordings of a real kubectl and API server, and the score against them."""
