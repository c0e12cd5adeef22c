"""Live state: kubeconfigs, requests to an API server, and snapshots."""
