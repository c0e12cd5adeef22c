"""What the action sends to the API of GitHub, Forgejo or Gitea: one comment, and a SARIF file."""

import base64
import gzip
import json
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from kubectl_applylint.core.records import dataclass

_BOTS: Final = ("github-actions[bot]", "forgejo-actions", "gitea-actions")
"""Users for whom a token of a job writes. Comments of others that begin like ours are left alone."""
_SECONDS: Final = 30


class ApiError(Exception):
    """The reason why a request failed."""


@dataclass(frozen=True, slots=True)
class Api:
    """The API of one repository."""

    address: str
    repository: str
    token: str

    def comment(self, number: int, text: str) -> None:
        """Write a comment, or update the one with the same first line; raises ``ApiError``."""
        marker = text.partition("\n")[0]
        ours = (
            each["id"]
            for each in self._comments(number)
            if each["user"]["login"] in _BOTS and each["body"].startswith(marker)
        )
        known = next(ours, None)
        if known is None:
            self._send("POST", f"issues/{number}/comments", {"body": text})
        else:
            self._send("PATCH", f"issues/comments/{known}", {"body": text})

    def upload(self, log: dict[str, Any], commit: str, ref: str) -> None:
        """Upload a SARIF log to code scanning; raises ``ApiError``."""
        packed = base64.b64encode(gzip.compress(json.dumps(log).encode())).decode()
        self._send("POST", "code-scanning/sarifs", {"commit_sha": commit, "ref": ref, "sarif": packed})

    def _comments(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield all comments of a pull request, also of servers that have no pages."""
        seen: set[int] = set()
        page = 1
        while True:
            found = self._send("GET", f"issues/{number}/comments?per_page=100&page={page}")
            new = [each for each in found if each["id"] not in seen]
            if not new:
                return
            yield from new
            seen.update(each["id"] for each in new)
            page += 1

    def _send(self, method: str, path: str, content: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if content is None else json.dumps(content).encode()
        request = Request(f"{self.address}/repos/{self.repository}/{path}", data, headers, method=method)
        try:
            with urlopen(request, timeout=_SECONDS) as answer:
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise ApiError(f"HTTP {error.code}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise ApiError(type(error).__name__) from None
