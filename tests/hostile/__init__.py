"""Input that somebody made to do harm, and what has to come of it; ``SECURITY.md`` says what is promised."""
