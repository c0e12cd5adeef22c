"""The merge algorithms, one a module: pure functions over JSON values and schema nodes."""
