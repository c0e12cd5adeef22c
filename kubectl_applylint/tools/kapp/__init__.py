"""kapp: predicts how it labels, compares, orders and writes the objects of an app."""
