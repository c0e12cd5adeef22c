"""The classes of changes, and the conclusions of check runs about them."""

from enum import StrEnum


class ChangeClass(StrEnum):
    """How much attention a change needs, the least first."""

    ROUTINE = "routine"
    """Only tags of the same images, patch versions of charts, labels or checksums change, and nothing is risky."""
    ATTENTION = "attention"
    REJECTED = "rejected"
    """The apply of an object fails, or there is a finding of severity error."""
    INCOMPLETE = "incomplete"
    """Something that the change touches was not examined."""


class Conclusion(StrEnum):
    """The conclusion of a check run on GitHub."""

    SUCCESS = "success"
    NEUTRAL = "neutral"
    FAILURE = "failure"
