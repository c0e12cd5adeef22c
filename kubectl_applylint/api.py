"""The library's face: load a schema, foretell an apply, check manifests. Typed, stable, small."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import Absent, Knowledge, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Policy
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.files import survey
from kubectl_applylint.run.known import nobody
from kubectl_applylint.run.known_snapshot import in_snapshot
from kubectl_applylint.schema import load
from kubectl_applylint.schema.types import Schema

UNKNOWN: Final = Unknown("not asked for")
"""Says to ``predict`` that nobody looked whether the object exists."""


def load_schema(version: str, *, crds: Sequence[JsonObject] = ()) -> Schema:
    """Return the kinds of a Kubernetes version (``1.36``, ``v1.36.3``) and of the CustomResourceDefinitions given.

    Raises ``ValueError`` for what is no version. A version without tables of its own gets the nearest ones.
    """
    return load.load(version, crds=crds)


def predict(
    manifest: JsonObject,
    *,
    schema: Schema,
    live: JsonObject | Unknown | None = None,
    applier: str = Applier.KUBECTL_CLIENT.value,
    field_manager: str | None = None,
    force_conflicts: bool = False,
    disabled_admission: Iterable[str] = (),
) -> Outcome:
    """Return what applying ``manifest`` does to ``live``.

    ``live=None`` says that the object does not exist, ``live=UNKNOWN`` that nobody knows. ``applier`` is
    ``kubectl-client``, ``kubectl-server``, ``kubectl-replace`` (with ``--save-config``) or ``metacontroller``: then the
    manifest is a child that a hook wants, and that is updated in place. ``disabled_admission`` names admission plugins
    that the server does not run. Raises ``ValueError`` for an applier that is not known.
    """
    request = ApplyRequest(
        manifest=manifest,
        state=State(_knowledge(live)),
        schema=schema,
        applier=Applier(applier),
        field_manager=field_manager,
        force_conflicts=force_conflicts,
        disabled_admission=frozenset(disabled_admission),
    )
    return engine.predict(request)


def check(
    files: Sequence[str],
    *,
    recursive: bool = False,
    snapshot: str = "",
    namespace: str = "",
    kubernetes_version: str = "",
    rules: Sequence[str] = (),
    flags: Flags = NO_FLAGS,
    policy: Policy = NO_POLICY,
) -> Report:
    """Return what the rules that ship, and those in the folders ``rules``, find in the manifests in ``files``.

    ``snapshot`` names a file with what ``kubectl get -o json --show-managed-fields`` printed, and stands for the whole
    cluster; without it the live state is unknown, and rules that need it are in ``skips``. ``namespace`` is kubectl's
    ``-n``, ``flags`` are those that say how it applies. ``policy`` says what hides findings beside comments and
    annotations, and which day it is for those that end on one; without it they never do. What cannot be read is in
    ``problems``. Nothing is masked. Raises ``ValueError`` with all that is wrong in the rule folders, and for what is
    no version.
    """
    book = rulebook.load([Path(folder) for folder in rules])
    if book.problems:
        raise ValueError("\n".join(map(str, book.problems)))
    found = survey(
        files,
        recursive=recursive,
        stdin=bytes,
        known=in_snapshot(snapshot) if snapshot else nobody(),
        flags=replace(flags, namespace=namespace),
        kubernetes_version=kubernetes_version,
    )
    return found.complete(lint(found.subjects, book.rules, texts=found.texts, policy=policy))


def _knowledge(live: JsonObject | Unknown | None) -> Knowledge:
    match live:
        case None:
            return Absent()
        case Unknown():
            return live
        case _:
            return Present(live)
