"""Input that was made to do harm, and the expected results; ``SECURITY.md`` says what is promised."""
