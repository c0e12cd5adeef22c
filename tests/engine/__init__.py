"""One apply, or a set of them, predicted and explained: what changes, who owns it, what the cluster holds after."""
