"""What the server refuses: constraints by API group, in tables that serve create and update alike."""
