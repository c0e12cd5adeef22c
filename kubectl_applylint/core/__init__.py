"""What everybody speaks of: values and places in them, objects and what is known of them, outcomes."""
