"""The effects on one object as lines: verdict, changes, details."""
