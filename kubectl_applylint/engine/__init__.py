"""Predicts and explains applies: changed fields, owners, and the cluster afterwards."""
