"""Sets of applies that are played in one in-memory cluster: one way, there and back, and what they leave behind."""
