"""What happens to one object, as lines: verdict, changes, details."""
