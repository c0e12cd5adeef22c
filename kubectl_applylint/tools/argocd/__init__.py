"""Argo CD: predicts how an Application syncs its objects."""
