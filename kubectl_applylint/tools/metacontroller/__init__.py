"""Metacontroller: predicts how it writes the children that a hook wants."""
