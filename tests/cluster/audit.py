"""Reads from the log of the API server what applylint did, so that no test can forget to check it.

The server's audit log names who sent each request, with which program.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject

POLICY: Final[JsonObject] = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata"}],
}
_PROGRAM: Final = "kubectl-applylint/"
_READING: Final = ("get", "list")
_ACCOUNT: Final = "system:serviceaccount:"


def flags(folder: Path) -> tuple[str, ...]:
    """Return the flags with which a server writes the log; makes the file that they name."""
    policy = folder / "audit-policy.json"
    policy.write_text(json.dumps(POLICY))
    return (f"--audit-policy-file={policy}", f"--audit-log-path={log_in(folder)}")


def log_in(folder: Path) -> Path:
    """Return where a server that runs in ``folder`` writes the log."""
    return folder / "audit.log"


def requests(lines: Iterable[str]) -> Iterator[JsonObject]:
    """Yield the entries of the log that are about requests of applylint."""
    entries: Iterator[Json] = (json.loads(line) for line in lines if _PROGRAM in line)
    return (entry for entry in entries if str(entry.get("userAgent", "")).startswith(_PROGRAM))


def misdeeds(lines: Iterable[str]) -> list[str]:
    """Return what applylint must not have done: a request that does more than read, or that the administrator sent.

    Tests let it read as a service account with the rights of a reader. A request without a user is not from applylint.
    """
    misdeeds_found = [
        f"{entry['verb']} {entry['requestURI']} by {name}"
        for entry in requests(lines)
        for name in [entry.get("user", {}).get("username", "")]
        if entry["verb"] not in _READING or (name and not name.startswith(_ACCOUNT))
    ]
    return list(dict.fromkeys(misdeeds_found))
