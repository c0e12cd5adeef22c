"""The library's face: load a schema, foretell an apply, check manifests. Typed, stable, small."""

from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_applylint import predict as engine
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.outcome import Outcome
from kubectl_applylint.schema import load
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.state import Absent, Knowledge, Present, State, Unknown
from kubectl_applylint.values import JsonObject

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
    ``kubectl-client``; ``disabled_admission`` names admission plugins that the server does not run. Raises
    ``ValueError`` for an applier that is not known.
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


def _knowledge(live: JsonObject | Unknown | None) -> Knowledge:
    match live:
        case None:
            return Absent()
        case Unknown():
            return live
        case _:
            return Present(live)
