"""Flux: predicts how kustomize-controller applies, recreates and prunes objects, and where it stops."""
