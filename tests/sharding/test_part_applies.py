"""Outcomes of objects in parts."""

from dataclasses import replace
from pathlib import Path as File

from kubectl_applylint.core.documents import InCluster
from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.outcome import Change, Outcome, Provenance, Verdict, Why
from kubectl_applylint.core.paths import Path, parse
from kubectl_applylint.core.record_json import decode, encode
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.secrets.secret_places import MASK
from kubectl_applylint.sharding.part_applies import PartApply, part_applies
from kubectl_applylint.sources.files import files

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: nginx
"""
PATHS = tuple(map(parse, ("spec.replicas", "spec.template.spec.containers[name=web].image", "spec.paused", "status")))


def changes(*paths: Path) -> tuple[Change, ...]:
    return tuple(Change(path, 1, MISSING, Provenance(Why.SET)) for path in paths)


def test_places_are_those_of_the_file(tmp_path: File) -> None:
    (tmp_path / "web.yaml").write_text(WEB)
    (document,) = files.read([str(tmp_path)], recursive=False, stdin=bytes).documents
    elsewhere = Location("patch.yaml", Span(3, 1, 3, 2))
    patched = replace(document, set_at=lambda path: elsewhere if path == PATHS[2] else None)
    outcome = Outcome(document.ref, Verdict.CONFIGURED, changes=changes(*PATHS))
    (one,) = part_applies([(patched, outcome)], [], show_secrets=False)
    again = decode(encode(one, PartApply), PartApply)

    assert again == one
    for path in ((), *PATHS):
        assert again.document.locate(path) == patched.locate(path)
        assert again.document.origin(path) == patched.origin(path)
    assert again.document == patched


def test_an_object_of_the_cluster_is_in_no_file(tmp_path: File) -> None:
    (tmp_path / "web.yaml").write_text(WEB)
    (document,) = files.read([str(tmp_path)], recursive=False, stdin=bytes).documents
    live = replace(document, positions=InCluster(), has_manifest=False)
    (one,) = part_applies([(live, Outcome(document.ref, Verdict.KEPT))], [], show_secrets=True)

    assert one.document.locate(PATHS[0]).span == NOWHERE
    assert not one.document.has_manifest


def test_objects_hold_no_secrets_unless_they_are_to_be_shown(tmp_path: File) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: correct-horse}\n"
    repeated = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {key: correct-horse}\n"
    (tmp_path / "all.yaml").write_text(secret + repeated)
    documents = files.read([str(tmp_path)], recursive=False, stdin=bytes).documents
    outcomes = [(one, Outcome(one.ref, Verdict.CREATED)) for one in documents]

    masked = [one.object for one in part_applies(outcomes, [], show_secrets=False)]
    assert [one.get("stringData", one.get("data")) for one in masked] == [{"key": MASK}] * 2
    assert [one.object for one in part_applies(outcomes, [], show_secrets=True)] == [one.object for one in documents]
