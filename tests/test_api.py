import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.cli import applylint
from kubectl_applylint.core.state import LAST_APPLIED, Present
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.json_v1 import payload
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests import libyaml
from tests.cases.cases import MARKER, Case, read_case
from tests.cases.tool_cases import is_tool_case
from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, SELECTOR, live_deployment
from tests.rules.stories import flags_of, version_of

SCHEMA = api.load_schema("1.36")
SERVICE: Json = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"ports": [{"port": 80}]},
}


def test_a_new_object_is_created_with_the_annotation() -> None:
    outcome = api.predict(SERVICE, schema=SCHEMA)

    assert outcome.verdict == "created"
    assert outcome.requests[0].method == "POST"
    assert outcome.requests[0].body["metadata"]["annotations"] == {
        LAST_APPLIED: '{"apiVersion":"v1","kind":"Service",'
        '"metadata":{"annotations":{},"name":"web","namespace":"shop"},'
        '"spec":{"ports":[{"port":80}]}}\n'
    }


def test_an_unknown_live_object_is_no_absent_one() -> None:
    outcome = api.predict(SERVICE, schema=SCHEMA, live=api.UNKNOWN)

    assert (outcome.verdict, outcome.confidence.level) == ("created", "low")


def test_applying_what_was_just_stored_sends_nothing() -> None:
    stored = api.predict(SERVICE, schema=SCHEMA).result

    assert api.predict(SERVICE, schema=SCHEMA, live=stored).verdict == "unchanged"


def test_a_kind_without_definition_is_predicted_and_not_validated() -> None:
    manifest = {"apiVersion": "x.io/v1", "kind": "Gadget", "metadata": {"name": "g"}, "spec": {"l": [1]}}
    live = {**manifest, "spec": {"l": [2]}}
    outcome = api.predict(manifest, schema=SCHEMA, live=live)

    assert outcome.requests[0].content_type == "application/merge-patch+json"
    assert (outcome.verdict, outcome.validated) == ("configured", False)


def test_an_unknown_applier_is_rejected() -> None:
    with pytest.raises(ValueError, match="terraform"):
        api.predict(SERVICE, schema=SCHEMA, applier="terraform")


def _changed_paths(outcome: Json) -> list[tuple[str, str]]:
    return [(change["path"], change["cause"]["why"]) for change in outcome["changes"]]


def test_changes_name_their_causes() -> None:
    first = {**SERVICE, "spec": {"ports": [{"port": 80}], "selector": {"a": "b", "c": "d"}}}
    live = api.predict(first, schema=SCHEMA).result
    second = {**SERVICE, "spec": {"ports": [{"port": 80, "name": "http"}, {"port": 81}], "selector": {"a": "e"}}}
    outcome = api.predict(second, schema=SCHEMA, live=live).to_json()

    assert _changed_paths(outcome)[1:] == [
        ("spec.ports[port=80].name", "set by the manifest"),
        ("spec.ports[port=81].port", "merged by key"),
        ("spec.ports[port=81].protocol", "defaulted by the server"),
        ("spec.ports[port=81].targetPort", "defaulted by the server"),
        ("spec.selector.a", "set by the manifest"),
        ("spec.selector.c", "deleted because last-applied had it"),
    ]


@pytest.mark.parametrize(
    "owners",
    [
        7,
        {},
        [7],
        [{"manager": ["x"], "operation": "Update", "fieldsV1": {"f:spec": {}}}],
        [{"manager": "x", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": 7}],
    ],
    ids=["number", "map", "number inside", "manager", "fields"],
)
def test_managed_fields_of_the_wrong_type_are_no_reason_to_fail(owners: Json) -> None:
    live = {**SERVICE, "metadata": {**SERVICE["metadata"], "managedFields": owners}}

    assert api.predict(SERVICE, schema=SCHEMA, live=live).verdict == "configured"


@pytest.fixture(name="shop")
def _shop(tmp_path: Path) -> Path:
    """A manifest, a snapshot in which its selector is another one, and a rule folder without a rule."""
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    (tmp_path / "prod.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [live_deployment()]}))
    return tmp_path


def test_a_check_finds_what_the_command_finds(shop: Path) -> None:
    report = api.check([str(shop / "web.yaml")], snapshot=str(shop / "prod.json"))

    assert SELECTOR in [finding.rule for finding in report.findings]
    assert (report.checked, report.problems) == (1, ())


def test_a_check_proves_edits(tmp_path: Path) -> None:
    file = tmp_path / "nulls.yaml"
    file.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: c\n  d: null\n")

    (finding,) = api.check([str(file)]).findings

    assert [(edit.location.span.line, edit.text) for edit in finding.edits] == [(6, "")]
    assert finding.proof is not None


def test_a_check_without_a_snapshot_skips_what_needs_one(shop: Path) -> None:
    report = api.check([str(shop / "web.yaml"), str(shop / "absent.yaml")])

    assert SELECTOR in [rule for skip in report.skips for rule in skip.rules]
    assert [problem.where for problem in report.problems] == [str(shop / "absent.yaml")]


@pytest.mark.parametrize(("today", "is_shown"), [(date(2026, 12, 31), False), (date(2027, 1, 1), True)])
def test_a_check_hides_what_a_comment_hides_up_to_its_day(shop: Path, today: date, is_shown: bool) -> None:
    text = (shop / "web.yaml").read_text()
    (shop / "web.yaml").write_text(f"# applylint: ignore-file[{SELECTOR}] until 2026-12-31: known\n{text}")

    report = api.check([str(shop / "web.yaml")], snapshot=str(shop / "prod.json"), policy=Policy(today=today))

    assert (SELECTOR in [finding.rule for finding in report.findings]) is is_shown


def test_a_folder_without_rules_is_rejected(shop: Path) -> None:
    with pytest.raises(ValueError, match="not a rule directory"):
        api.check([str(shop)], rules=[str(shop)])


def test_a_pod_gets_its_token_volume_and_is_accepted() -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "x"},
        "spec": {"containers": [{"name": "a", "image": "b"}]},
    }
    outcome = api.predict(pod, schema=SCHEMA)

    assert outcome.verdict == "created"
    assert json.loads(json.dumps(outcome.to_json()))["result"]["spec"]["containers"][0]["volumeMounts"]


def test_an_unsupported_expression_is_skipped_by_name(tmp_path: Path) -> None:
    rule = {"rule": "self.name.isSecretlyGood()"}
    spec = {"type": "object", "properties": {"name": {"type": "string"}}, "x-kubernetes-validations": [rule]}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.x.io"},
        "spec": {
            "group": "x.io",
            "scope": "Cluster",
            "names": {"kind": "Lamp", "plural": "lamps", "singular": "lamp"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }
    lamp = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "l"}, "spec": {"name": "hunter2"}}
    (tmp_path / "all.json").write_text(json.dumps(definition))
    (tmp_path / "lamp.json").write_text(json.dumps(lamp))
    report = api.check([str(tmp_path / "lamp.json")], snapshot=str(tmp_path / "all.json"))

    assert "apply-rejected" in {rule for skip in report.skips for rule in skip.rules}
    assert {skip.reason for skip in report.skips} == {
        "not evaluated: the rule 'self.name.isSecretlyGood()' of spec: unknown name 'isSecretlyGood'"
    }
    assert [finding for finding in report.findings if finding.rule == "apply-rejected"] == []


def test_an_object_that_the_caller_changed_is_read_again() -> None:
    settings: Json = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"x": "1"}}
    changed = {**settings, "data": {"x": "2"}}
    live = api.predict(settings, schema=SCHEMA, applier="kubectl-server", field_manager="first").to_json()["result"]

    def verdict() -> str:
        outcome = api.predict(changed, live=live, schema=SCHEMA, applier="kubectl-server", field_manager="second")
        return outcome.verdict.value

    assert verdict() == "conflict"
    live["metadata"]["managedFields"][0]["manager"] = "second"
    assert verdict() == "serverside-applied"


ROOT = Path(__file__).parent.parent
FOUND = ("findings", "suppressed", "ignoreWarnings", "skips", "problems", "objects", "checked")
Program = Callable[..., Json]


@pytest.fixture(name="program")
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Return a function that runs ``applylint`` in an empty folder and gives its report."""
    monkeypatch.chdir(tmp_path)

    def run(*argv: str) -> Json:
        applylint([*argv, "--show-secrets", "-o", "json"])
        return json.loads(capsys.readouterr().out)

    return run


def without_notes(report: Json) -> Json:
    """Return what a report in JSON holds beside notes."""
    return {key: report[key] for key in FOUND}


def as_json(report: Report) -> Json:
    return json.loads(json.dumps(payload(report, Context())))


def written(case: Case, folder: Path) -> str:
    """Write the manifests of a case to ``after.yaml``, and return what they are compared with."""
    Path(folder, "after.yaml").write_text("\n---\n".join([*map(libyaml.dump, case.peers), case.manifest]))
    if case.base:
        Path(folder, "before.yaml").write_text("\n---\n".join(map(libyaml.dump, (*case.crds, *case.base))))
        return "file:before.yaml"
    live = [case.live.object] if isinstance(case.live, Present) else []
    items = [*live, *case.crds]
    Path(folder, "live.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return "snapshot:live.json" if items else "none"


def case_of(file: Path, text: str) -> Case:
    return read_case(text, file=str(file), rule=file.parent.parent.name)


def case_files() -> Iterator[object]:
    """Yield the rule cases with flags; slow are those without a base whose flags another one has, too."""
    seen = set[tuple[str, ...]]()
    for file in sorted((ROOT / "rules").glob("*/*/cases/*.yaml")):
        text = file.read_text().partition(MARKER)[0]
        if "\nflags:" in text and not is_tool_case(text):
            case = case_of(file, text)
            marks = [pytest.mark.slow] if case.flags in seen and not case.base else []
            seen.add(case.flags)
            yield pytest.param(file, id=f"{file.parent.parent.name}/{file.stem}", marks=marks)


@pytest.mark.parametrize("file", list(case_files()))
def test_the_library_finds_what_the_program_finds_in_a_rule_case(program: Program, tmp_path: Path, file: Path) -> None:
    case = case_of(file, file.read_text())
    against, version = written(case, tmp_path), version_of(case)

    names = ("-f", "after.yaml", "--against", against, "--kubernetes-version", version)

    shown = program("check", *names, *case.flags)
    report = api.check(["after.yaml"], against=against, flags=flags_of(case), kubernetes_version=version)

    assert without_notes(as_json(report)) == without_notes(shown)


def examples() -> Iterator[object]:
    for against in ("none", "snapshot:examples/snapshot.yaml", "last-applied:examples/snapshot.yaml"):
        yield pytest.param("examples/shop", against, (), NO_FLAGS, id=f"shop {against}")
    yield pytest.param("examples/change/after", "dir:examples/change/before", (), NO_FLAGS, id="change")
    prune, server_side = Flags(prune=True, all=True), Flags(server_side=True)
    for argv, flags in ((("--prune", "--all"), prune), (("--server-side",), server_side)):
        yield pytest.param("examples/shop", "snapshot:examples/snapshot.yaml", argv, flags, id=f"shop {argv[0]}")
        yield pytest.param("examples/change/after", "dir:examples/change/before", argv, flags, id=f"change {argv[0]}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "against", "argv", "flags"), list(examples()))
def test_the_library_reports_an_example_as_the_program_does(
    program: Program, monkeypatch: pytest.MonkeyPatch, name: str, against: str, argv: tuple[str, ...], flags: Flags
) -> None:
    monkeypatch.chdir(ROOT)
    names = ("-f", name, "--against", against)

    checked, planned = (program(command, *names, *argv) for command in ("check", "plan"))

    assert without_notes(as_json(api.check([name], against=against, flags=flags))) == without_notes(checked)
    # The library plans without the rules, which api.check runs.
    assert without_notes(as_json(api.plan([name], against=against, flags=flags))) == {
        **without_notes(planned),
        "findings": [],
    }


def test_a_check_finds_what_a_prune_deletes(shop: Path) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": "data",
            "namespace": "shop",
            "labels": {"app": "shop"},
            "annotations": {LAST_APPLIED: "{}"},
        },
    }
    (shop / "cm.yaml").write_text(CONFIG_MAP.replace("namespace: shop", "namespace: shop, labels: {app: shop}"))
    (shop / "all.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [claim]}))

    report = api.check(
        [str(shop / "cm.yaml")], snapshot=str(shop / "all.json"), flags=Flags(prune=True, selector="app=shop")
    )

    assert "prune-deletes-volume" in [finding.rule for finding in report.findings]


def test_a_configuration_gives_the_defaults_of_arguments(shop: Path) -> None:
    (shop / "settings.yaml").write_text(f"against: snapshot:prod.json\nignore: [{SELECTOR}]\n")
    (shop / "other.yaml").write_text("against: none\n")
    web, snapshot = str(shop / "web.yaml"), str(shop / "prod.json")

    ignored = api.check([web], config=str(shop / "settings.yaml"))
    found = api.check([web], config=str(shop / "other.yaml"), snapshot=snapshot)

    assert SELECTOR not in [finding.rule for finding in ignored.findings]
    assert ignored.notes == found.notes == ("compared with snapshot " + snapshot + " (written today)",)
    assert SELECTOR in [finding.rule for finding in found.findings]


def test_flags_that_kubectl_rejects_are_rejected(shop: Path) -> None:
    with pytest.raises(ValueError, match="--force-conflicts only works with --server-side"):
        api.check([str(shop / "web.yaml")], flags=Flags(force_conflicts=True))


def test_an_invalid_earlier_state_is_rejected(shop: Path) -> None:
    with pytest.raises(ValueError, match="'dir:' is not one of none, live"):
        api.plan([str(shop / "web.yaml")], against="dir:")


def test_remote_bases_are_read_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kubectl: Path) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))
    (tmp_path / "kustomization.yaml").write_text("resources: ['https://git.example/a.yaml']\n")
    source = ChartSource(SourceKind.FILE, "https://git.example/a.yaml")
    with use_store(Store(str(tmp_path / "cache"))):
        stored = store.add_files(source, archive({"file.yaml": CONFIG_MAP.encode()}), "")
    (tmp_path / "sources.store").write_bytes(store.store_file([(source, stored)]))
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(tmp_path / "none"))
    missing = api.plan([str(tmp_path)])
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(tmp_path / "cache"))
    cached = api.plan([str(tmp_path)])
    packed = api.plan([str(tmp_path)], store=str(tmp_path / "sources.store"))

    assert missing.problems
    assert len(cached.outcomes) == len(packed.outcomes) == 1
