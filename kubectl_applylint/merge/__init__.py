"""The merge algorithms, one per module: pure functions over JSON values and schema nodes."""
