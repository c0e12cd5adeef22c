"""What the API server does to a write."""
