"""Charts and kustomizations: what they consist of, and the programs that render them."""
