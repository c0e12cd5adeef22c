"""What the server rejects of the schemas in CustomResourceDefinitions."""
