"""The report of fetched sources."""

import json
from pathlib import Path

import jsonschema

from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fetch import FetchedSource, fetch_json, fetch_text

SOURCES = [
    FetchedSource("oci://a.example/web 1.x", "a.yaml:3", "fetched", "1.2.3", "sha256:0", "2026-11-26", size=3 << 20),
    FetchedSource("oci://a.example/db 1.0.0", "a.yaml:9", "stored", "1.0.0", "sha256:1"),
    FetchedSource("oci://a.example/log 1.0.0", "a.yaml:9", "listed"),
    FetchedSource(
        "oci://b.example/x 1.0.0", "b.yaml:1", "missing", reason="the host is not allowed", advice="allow it"
    ),
]


def test_text_lists_what_was_downloaded_and_counts_the_rest() -> None:
    assert fetch_text(SOURCES) == (
        "fetched oci://a.example/web 1.x -> 1.2.3\n"
        "listed  oci://a.example/log 1.0.0\n"
        "1 fetched, 1 stored, 1 listed, 1 missing; 3.0 MiB received\n"
    )
    assert fetch_text([]) == "nothing to fetch\n"
    assert fetch_text([FetchedSource("x", "", "fetched", size=2048)]).endswith("1 fetched; 2.0 KiB received\n")


def test_json_follows_its_schema() -> None:
    content = json.loads(fetch_json(SOURCES, Context()))

    jsonschema.validate(content, json.loads(Path("kubectl_applylint/report/schemas/fetch-v1.json").read_text()))
    assert [one["status"] for one in content["sources"]] == ["fetched", "stored", "listed", "missing"]
