"""The documents that the engine implements, example by example; each test says under which heading it stands."""
