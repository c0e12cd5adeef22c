"""One renderer a format: a pure function from a report to text."""
