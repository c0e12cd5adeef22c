"""The terminal: output, colours, pager, progress, time limits, signals."""
