"""Recordings as values: what was applied on what, what kubectl sent, what it said and what was stored.

A recording is a gzip of JSON lines: a head with the versions and the custom resource definitions, then one line a case.
"""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.core.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Head:
    """The versions and definitions of a recording."""

    server: str
    kubectl: str
    crds: tuple[JsonObject, ...]

    @property
    def minor(self) -> str:
        """The Kubernetes version as ``1.36``."""
        return ".".join(self.server.lstrip("v").split(".")[:2])


@dataclass(frozen=True, slots=True)
class Request:
    """One write that kubectl sent. ``body`` is the text, ``error`` the server's answer if it rejected the write."""

    method: str
    content_type: str | None
    body: str | None
    status: int
    error: Json


@dataclass(frozen=True, slots=True)
class Story:
    """One apply: ``live`` before and ``after`` it; ``None`` stands for no such object."""

    id: str
    mode: str
    base: str
    """``Kind/name`` of the manifest that it was drawn from."""
    edits: Json
    writers: Json
    args: tuple[str, ...]
    manifest: JsonObject
    live: JsonObject | None
    exit: int
    stdout: str
    stderr: str
    requests: tuple[Request, ...]
    after: JsonObject | None

    @property
    def kind(self) -> str:
        """The kind of the object."""
        return self.base.partition("/")[0]

    @property
    def accepted(self) -> bool:
        """Whether kubectl succeeded."""
        return self.exit == 0

    @property
    def server_side(self) -> bool:
        """Whether it was a server-side apply."""
        return "--server-side" in self.args

    @property
    def force_conflicts(self) -> bool:
        """Whether it took over the fields of others."""
        return "--force-conflicts" in self.args

    @property
    def field_manager(self) -> str | None:
        """The manager that it named."""
        named = (word.partition("=")[2] for word in self.args if word.startswith("--field-manager"))
        return next(named, None)


@contextmanager
def open_recording(file: Path) -> Iterator[tuple[Head, Iterator[Story]]]:
    """Give the head of a recording and its stories, read as they are asked for."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        yield (
            Head(head["server"], head["kubectl"], tuple(head.get("crds", []))),
            (story for line in lines for story in stories(json.loads(line))),
        )


def stories(case: JsonObject) -> Iterator[Story]:
    """Yield the recorded case itself and, if it continues, the same manifest again and then the old one."""
    side = "-server" if "--server-side" in case["args"] else ""
    yield _story(case)
    if "again" in case:
        yield _story(_sequel(case, "again", side, case["after"]))
    if "revert" in case:
        yield _story(_sequel(case, "revert", side, case["again"]["after"]))


def _sequel(case: JsonObject, name: str, side: str, live: Json) -> JsonObject:
    return {**case, **case[name], "id": f"{case['id']}/{name}", "mode": name + side, "live": live}


def _story(case: JsonObject) -> Story:
    return Story(
        id=case["id"],
        mode=case["mode"],
        base=case["base"],
        edits=case["edits"],
        writers=case["writers"],
        args=tuple(case["args"]),
        manifest=case["manifest"],
        live=case["live"],
        exit=case["exit"],
        stdout=case["stdout"],
        stderr=case["stderr"],
        requests=tuple(_request(request) for request in case["requests"]),
        after=case["after"],
    )


def _request(request: JsonObject) -> Request:
    return Request(
        method=request["method"],
        content_type=request["contentType"],
        body=request["body"],
        status=request["status"],
        error=request.get("error"),
    )
