"""YAML and JSON text with positions: parsed as kubectl parses it, and edited."""
