"""Rules on what was predicted: what they look at, what they find, what is shown of it."""
