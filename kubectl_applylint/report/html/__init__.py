"""The report as one HTML page: a template and the plain values for it."""
