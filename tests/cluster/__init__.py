"""A real API server and a real kubectl for the tests, and the tools that work with them."""
