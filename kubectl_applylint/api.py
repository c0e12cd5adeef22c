"""The public API: load a schema, predict an apply, check and plan manifests."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags, faults
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.config import hiding
from kubectl_applylint.config.configuration import Config, load
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Knowledge, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.compare.against import read_against
from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.compare.open_source import open_source
from kubectl_applylint.run.evaluate import Evaluation, PlanEvaluation, RuleEvaluation
from kubectl_applylint.run.pipeline import run
from kubectl_applylint.run.request import Request
from kubectl_applylint.schema import load as tables
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.sources.store.offline_sources import use_offline_sources
from kubectl_applylint.sources.store.store_place import Store
from kubectl_applylint.sources.system import cache_folder

UNKNOWN: Final = Unknown("not asked for")
"""The live state for ``predict`` if it is unknown whether the object exists."""


def load_schema(version: str, *, crds: Sequence[JsonObject] = ()) -> Schema:
    """Return the kinds of a Kubernetes version (``1.36``, ``v1.36.3``) and of the CustomResourceDefinitions given.

    Raises ``ValueError`` for an invalid version. A version without tables of its own gets the nearest ones.
    """
    return tables.load(version, crds=crds)


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
    """Return the outcome of applying ``manifest`` to ``live``.

    ``live=None`` means that the object does not exist, ``live=UNKNOWN`` that this is unknown. ``applier`` is
    ``kubectl-client``, ``kubectl-server``, ``kubectl-replace`` (with ``--save-config``) or ``metacontroller``: then the
    manifest is a child that a hook wants, updated in place. ``disabled_admission`` are the admission plugins that the
    server does not run. Raises ``ValueError`` for an unknown applier.
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
    against: str = "",
    namespace: str = "",
    kubernetes_version: str = "",
    rules: Sequence[str] = (),
    flags: Flags = NO_FLAGS,
    policy: Policy | None = None,
    config: str = "",
    store: str = "",
) -> Report:
    """Return the report of ``applylint check`` on the manifests in ``files``, each as with ``-f``.

    ``against`` is the earlier state, as for ``--against``: ``snapshot:FILE``, ``dir:PATH``, ``file:PATH``, a git
    revision, ``live`` or ``last-applied``. ``snapshot`` is short for ``snapshot:FILE``: a file with the output of
    ``kubectl get -o json --show-managed-fields``, treated as the whole cluster. Without either, the live state is
    unknown, and rules that need it are in ``skips``. ``namespace`` is kubectl's ``-n``, ``flags`` are the flags of the
    apply, ``rules`` are folders with additional rules. ``config`` is a configuration file with defaults for the other
    arguments; no other file is read, and no environment variable but those for the cache directory. ``policy`` hides
    findings instead of the configuration; comments and annotations hide findings in any case. ``store`` is a file that
    ``fetch -o`` has written, with charts and remote bases; the default is the store in the user's cache directory.

    Findings have their proven ``edits`` with the ``proof``. Unreadable input is in ``problems``. Nothing is masked.
    Raises ``ValueError`` with all errors in flags, configuration and rule folders.
    """
    settings = _settings(
        snapshot=snapshot,
        against=against,
        namespace=namespace,
        version=kubernetes_version,
        rules=rules,
        config=config,
        store=store,
    )
    return _report(files, recursive, flags, settings, _rule_evaluation(settings, policy))


def plan(
    files: Sequence[str],
    *,
    recursive: bool = False,
    snapshot: str = "",
    against: str = "",
    namespace: str = "",
    kubernetes_version: str = "",
    flags: Flags = NO_FLAGS,
    config: str = "",
    store: str = "",
) -> Report:
    """Return the report of ``applylint plan``, with ``outcomes``; the arguments are those of ``check``."""
    settings = _settings(
        snapshot=snapshot,
        against=against,
        namespace=namespace,
        version=kubernetes_version,
        rules=(),
        config=config,
        store=store,
    )
    return _report(files, recursive, flags, settings, PlanEvaluation(partial(hiding.all_rules, settings)))


def _rule_evaluation(settings: Config, policy: Policy | None) -> RuleEvaluation:
    chosen = hiding.choose_rules(settings)
    hidden = hiding.policy_of(settings, chosen) if policy is None else policy
    return RuleEvaluation(Dispatch(chosen.rules, chosen.silent), hidden, shows_known=True)


def _settings(
    *, snapshot: str, against: str, namespace: str, version: str, rules: Sequence[str], config: str, store: str
) -> Config:
    defaults = load({}, {}, Path.cwd(), file=config) if config else Config()
    text = f"snapshot:{snapshot}" if snapshot else against
    return replace(
        defaults,
        against=read_against(text) if text else defaults.against,
        namespace=namespace or defaults.namespace,
        kubernetes_version=version or defaults.kubernetes_version,
        rules=(*defaults.rules, *rules),
        store=store or defaults.store,
    )


def _report(files: Sequence[str], recursive: bool, flags: Flags, settings: Config, evaluation: Evaluation) -> Report:
    """Return the report of one apply; raise ``ValueError`` for flags that kubectl rejects."""
    request = Request(
        files=tuple(files),
        recursive=recursive,
        flags=_flags(flags, settings),
        against=settings.against,
        kubernetes_version=settings.kubernetes_version,
        is_one_apply=True,
    )
    wrong = [*faults(request.flags)]
    if wrong:
        raise ValueError("\n".join(wrong))
    with use_offline_sources(Store(cache_folder.folder_of(os.environ), settings.store)):
        return run(request, _open_sources(request), evaluation).report


@contextmanager
def _open_sources(request: Request) -> Iterator[LiveSources]:
    with open_source(request.against, request.files, recursive=request.recursive) as source:
        yield LiveSources(source)


def _flags(flags: Flags, settings: Config) -> Flags:
    return replace(
        flags,
        namespace=flags.namespace or settings.namespace,
        server_side=flags.server_side or settings.server_side,
        force_conflicts=flags.force_conflicts or settings.force_conflicts,
        field_manager=flags.field_manager or settings.field_manager,
    )


def _knowledge(live: JsonObject | Unknown | None) -> Knowledge:
    match live:
        case None:
            return Absent()
        case Unknown():
            return live
        case _:
            return Present(live)
