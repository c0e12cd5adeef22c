"""The API server: its answer to a write."""
