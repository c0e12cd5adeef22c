"""Objects that no apply can change, whatever the manifest says."""

import re
from collections.abc import Iterator, Mapping

from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the object once if the server's refusal matches the pattern ``params["words"]``.

    Facts: message, and what the named groups of the pattern match.
    """
    for refusal in subject.foretell(Scenario.APPLY).causes:
        match = re.search(params["words"], refusal.message)
        if match:
            yield Hit((), {"message": refusal.message, **match.groupdict()})
            return
