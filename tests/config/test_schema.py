import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from kubectl_applylint.config.configuration import OPTIONS, TARGET_OPTIONS, UNIT_OPTIONS, ConfigError, load
from kubectl_applylint.config.entries import ENTRY_OPTIONS
from kubectl_applylint.config.schema import config_schema
from kubectl_applylint.lint.model import Severity

SCHEMA = config_schema({"a-b": "A breaks", "c-d": "C breaks"}, {"family": "Breaks"})
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
GOOD = {
    "nothing": "{}",
    "everything": """\
        against: snapshot:prod.json
        namespace: shop
        kubernetes-version: 1.33
        server-side: true
        force-conflicts: false
        field-manager: team
        applier: auto
        rules: [ours]
        select: a-b
        ignore:
          - a-b
          - {rule: [a-b, c-d], path: 'old/**', resource: 'shop/deployment/*', field: spec.replicas,
             until: '2026-12-31', reason: goes}
          - rule: c-d
        severity: {a-b: warning, family: 'off', 'c-*': info}
        conclusion: {routine: neutral, attention: success}
        units:
          - base
          - {path: charts/*, tool: helm, flags: [--force, --take-ownership]}
          - {path: clusters/*/apps, tool: flux, namespace: shop, target: prod, prune: true, recursive: false,
             against: live, kubernetes-version: 1.33, server-side: true, force-conflicts: true, field-manager: team}
        definitions: {cert-manager: v1.21, longhorn: 1.12, crds: [crds/**]}
        incomplete:
          - {unit: 'apps/**', reason: ksops runs elsewhere, until: '2026-12-31'}
        targets:
          - {name: eu, labels: [env=prod], context: eu, against: live, units: ['clusters/eu/**'], namespace: shop,
             kubernetes-version: 1.33}
          - {name: us, labels: env=prod, against: 'snapshot:us.json'}
        store: charts.store
        mirrors: {ghcr.io: 'http://localhost:5000/ghcr', docker.io/library: mirror.example}
        own-sources: {'oci://ghcr.io/team/deploy': kubernetes, Bucket/flux-system/deploy: .}
        allow-host: [quay.io/jetstack, 'localhost:5000']
        api-versions: [monitoring.coreos.com/v1]
        no-ignores: false
        require-reason: true
        non-ignorable: [c-d]
        baseline: known.json
        fail-on: warning
        show: info
        exit-zero: false
        detailed-exitcode: false
        allow-unreachable: true
        timeout: 5m
        render-timeout: 30s
        render-memory: 512Mi
        show-secrets: false
        color: never
        lang: ja
        output: [text, sarif=a.sarif]
        verbosity: 1
        """,
    "one mapping": "ignore: {rule: a-b}",
    "one unit": "units: {path: apps}",
    "one path": "units: apps/*",
    "version as text": "kubernetes-version: v1.33.4",
    "revision": "against: origin/main...",
    "last-applied": "against: last-applied",
}
BAD = {
    "unknown option": "fail_on: error",
    "severity": "fail-on: fatal",
    "version": "kubernetes-version: new",
    "snapshot without file": "against: snapshot",
    "two values": "namespace: [a, b]",
    "form": "output: xml",
    "empty": "baseline: ''",
    "truth": "exit-zero: 'yes'",
    "number": "verbosity: -1",
    "entry without rule": "ignore: [{reason: so}]",
    "unit without path": "units: [{tool: flux}]",
    "unknown tool": "units: [{path: a, tool: make}]",
    "unknown key of a unit": "units: [{path: a, rule: a-b}]",
    "unknown key": "ignore: [{rule: a-b, file: x}]",
    "day": "ignore: [{rule: a-b, until: soon}]",
    "object": "ignore: [{rule: a-b, resource: web}]",
    "target without name": "targets: [{against: none}]",
    "target without a mapping": "targets: [eu]",
    "unknown key of a target": "targets: [{name: eu, tool: flux}]",
    "severity that does not exist": "severity: {a-b: fatal}",
    "severity of nothing": "severity: [a-b]",
    "conclusion that fails": "conclusion: {attention: failure}",
    "conclusion of a failure": "conclusion: {rejected: success}",
    "mapping elsewhere": "select: [{rule: a-b}]",
}


def loads(folder: Path, text: str) -> bool:
    (folder / ".applylint.yaml").write_text(text)
    try:
        load({}, {}, folder)
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_settings_that_the_program_accepts_fit_the_schema(tmp_path: Path, text: str) -> None:
    assert list(VALIDATOR.iter_errors(yaml.safe_load(text))) == []
    assert loads(tmp_path, text)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_settings_that_the_program_rejects_do_not_fit_the_schema(tmp_path: Path, text: str) -> None:
    assert not VALIDATOR.is_valid(yaml.safe_load(text))
    assert not loads(tmp_path, text)


@pytest.mark.parametrize(
    "text", [*("select: e-f", "ignore: [e-f]", "ignore: {rule: e-f}", "non-ignorable: e-f", "severity: {e-f: info}")]
)
def test_only_the_rules_that_there_are_have_names(text: str) -> None:
    assert not VALIDATOR.is_valid(yaml.safe_load(text))


def test_every_setting_is_in_the_schema_with_words() -> None:
    entry = SCHEMA["properties"]["ignore"]["anyOf"][1]

    assert SCHEMA["properties"].keys() == OPTIONS.keys() == yaml.safe_load(GOOD["everything"]).keys()
    unit = SCHEMA["properties"]["units"]["anyOf"][1]
    assert entry["properties"].keys() == ENTRY_OPTIONS.keys()
    target = SCHEMA["properties"]["targets"]["anyOf"][1]
    assert unit["properties"].keys() == UNIT_OPTIONS.keys()
    assert target["properties"].keys() == TARGET_OPTIONS.keys()
    parts = [part for whole in (SCHEMA, entry, unit) for part in whole["properties"].values()]
    assert all(part["description"] for part in parts)


def test_the_schema_says_what_severities_and_defaults_there_are() -> None:
    assert SCHEMA["properties"]["fail-on"]["enum"] == [*Severity]
    assert {name: part["default"] for name, part in SCHEMA["properties"].items() if "default" in part} == {
        **dict.fromkeys(["server-side", "force-conflicts", "no-ignores", "require-reason"], False),
        **dict.fromkeys(["allow-unreachable", "exit-zero", "detailed-exitcode", "show-secrets"], False),
        "fail-on": "error",
        "applier": "auto",
        "show": "auto",
        "color": "auto",
        "lang": "en",
        "render-memory": "2048Mi",
        "verbosity": 0,
    }


def test_the_schema_is_one_and_plain_json() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)

    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
