"""Entry points that other programs call: pre-commit, pre-push and CI."""
