"""Credentials at known places of objects that are no Secrets."""

import json
from dataclasses import replace

import pytest

from kubectl_applylint.core.location import Span
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.paths import ByKey, Field, Index, Path, fields
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.secrets.credential_places import credential_places, credentials_in, mask_places, may_have_places
from kubectl_applylint.secrets.literals import maps
from kubectl_applylint.secrets.masked_sources import mask_sources
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.secrets.secret_places import MASK
from tests.report.samples import FILE, FINDING, WEB, document

SECRET_JSON, SHOWN_JSON = (
    json.dumps({"apiVersion": "v1", "kind": "Secret", "data": {"a": value}}) for value in ("x", MASK)
)
LAST, SHOWN_LAST = (
    json.dumps({"apiVersion": "a/v1", "spec": {"values": {"password": value}}}) for value in ("x", MASK)
)
SECRET_TEXT = "kind: Secret\ndata:\n  a: eHg=\n\n  b: |\n    eXk=\ntype: x\n---\nkind: ConfigMap\ndata:\n  c: d"


def release(values: Json) -> JsonObject:
    return {"kind": "HelmRelease", "spec": {"values": values}}


def application(helm: Json) -> JsonObject:
    return {"kind": "Application", "spec": {"source": {"helm": helm}}}


def of_map(kind: str, *way: str, data: Json) -> JsonObject:
    """Return an object with a map at the end of ``way``."""
    for name in reversed(way):
        data = {name: data}
    return {"kind": kind, **data}


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (release({"auth": {"password": "x1"}}), release({"auth": {"password": MASK}})),
        (release({"auth": {"rootPassword": "x", "secretKey": "y", "pin": "z"}}),
         release({"auth": {"rootPassword": MASK, "secretKey": MASK, "pin": "z"}})),
        (release({"env": {"A_SECRET": "x"}, "list": [{"apiToken": 4711}]}),
         release({"env": {"A_SECRET": MASK}, "list": [{"apiToken": MASK}]})),
        (application({"valuesObject": {"password": "x"}}), application({"valuesObject": {"password": MASK}})),
        (application({"values": "auth:\n  password: 'x y'\n  user: z\n"}),
         application({"values": f"auth:\n  password: {MASK}\n  user: z\n"})),
        (application({"parameters": [{"name": "auth.rootPassword", "value": "x"}, {"name": "a.b", "value": "c"}]}),
         application({"parameters": [{"name": "auth.rootPassword", "value": MASK}, {"name": "a.b", "value": "c"}]})),
        (of_map("SealedSecret", "spec", "template", "data", data={"password": "x"}),
         of_map("SealedSecret", "spec", "template", "data", data={"password": MASK})),
        (of_map("SealedSecret", "spec", "template", "stringData", data={"token": "x"}),
         of_map("SealedSecret", "spec", "template", "stringData", data={"token": MASK})),
        (of_map("ExternalSecret", "spec", "target", "template", "data", data={"a-password": "x", "host": "db"}),
         of_map("ExternalSecret", "spec", "target", "template", "data", data={"a-password": MASK, "host": "db"})),
        ({"kind": "Template", "objects": [{"kind": "Secret", "stringData": {"a": "x", "b": "${B}"}}]},
         {"kind": "Template", "objects": [{"kind": "Secret", "stringData": {"a": MASK, "b": "${B}"}}]}),
        (of_map("ConfigMap", "data", data={"s.yaml": SECRET_TEXT}),
         of_map("ConfigMap", "data", data={"s.yaml": SECRET_TEXT.replace("eHg=", "x").replace("a: x", MASK)
                                           .replace("b: |", MASK).replace("eXk=", MASK)})),
        (of_map("ConfigMap", "data", data={"s": SECRET_JSON}),
         of_map("ConfigMap", "data", data={"s": SHOWN_JSON})),
        (of_map("ConfigMap", "data", data={"DB_PASSWORD": "x", "c.json": '{"db": {"password": "x"}}'}),
         of_map("ConfigMap", "data", data={"DB_PASSWORD": MASK, "c.json": json.dumps({"db": {"password": MASK}})})),
        (of_map("ConfigMap", "data", data={".env": "A=b\nexport DB_PASSWORD=x y\nTOKEN_URL=c"}),
         of_map("ConfigMap", "data", data={".env": f"A=b\nexport DB_PASSWORD={MASK}\nTOKEN_URL=c"})),
        ({"args": ["--password", "x", "--token", "--user", "y"]},
         {"args": ["--password", MASK, "--token", "--user", "y"]}),
        ({"httpHeaders": [{"name": "Authorization", "value": "Basic eDp5"}]},
         {"httpHeaders": [{"name": "Authorization", "value": MASK}]}),
        ({"headers": {"Authorization": "Bearer abc"}}, {"headers": {"Authorization": MASK}}),
        ({"metadata": {"annotations": {LAST_APPLIED: LAST}}},
         {"metadata": {"annotations": {LAST_APPLIED: SHOWN_LAST}}}),
    ],
    ids=[
        *("release", "camel case", "variables", "object", "text", "parameters", "sealed", "sealed text", "external"),
        *("template", "yaml", "json", "config map", "env file", "arguments", "header", "headers", "annotation"),
    ],
)  # fmt: skip
def test_credentials_at_known_places_are_masked(item: JsonObject, shown: JsonObject) -> None:
    assert mask_places(item) == shown


@pytest.mark.parametrize(
    "item",
    [
        release({"auth": {"existingSecret": "db", "passwordSecret": "db", "secret": "db", "password": ""}}),
        release({"password": "${PASSWORD}", "token": "$(TOKEN)", "apiKey": "<path:a#b>", "jwt": "{{ .x }}"}),
        release({"password": "{DB_PASSWORD}", "token": "$a-token", "apiKey": "$${KEY}", "pass": 0, "jwt": "1e-6"}),
        of_map("ExternalSecret", "spec", "target", "template", "data", data={"DB_HOST": "db.svc", "TOKEN": "{{ .t }}"}),
        {"generate": {"kind": "Secret", "data": {"type": "Opaque", "metadata": {"labels": {"a": "b"}}}}},
        release({"token": True, "password": "false", "secretKey": "db-password", "accessKey": "ACCESS_KEY_ID"}),
        release({"passwordFile": "x", "token": "/run/secrets/token", "tokenUrl": "http://a", "secretName": "b"}),
        release({"env": [{"name": "A_TOKEN", "valueFrom": {"secretKeyRef": {"name": "a", "key": "token"}}}]}),
        release({"data": [{"secretKey": "a", "remoteRef": {"key": "b"}}]}),
        {"kind": "ExternalSecret", "spec": {"data": [{"secretKey": "a", "remoteRef": {"key": "b"}}]}},
        {"kind": "Pod", "spec": {"template": {"spec": {"token": "a"}}, "secret": {"secretName": "b"}}},
        {"args": ["--token-file", "x", "--password", "$(PASSWORD)", "-p", "y"]},
        of_map("ConfigMap", "data", data={"a.py": 'token = get_token()\npassword = os.environ["A"]\nTOKEN=$(cat x)\n'}),
        of_map("ConfigMap", "data", data={"a.yaml": "password:\n  secretKeyRef:\n    key: password\ntoken: |\n"}),
        {"a": {"kind": "Secret", "name": "b"}, "env": [{"name": "AUTHORIZATION", "value": "rbac"}]},
    ],
    ids=[
        *("names", "placeholders", "other placeholders", "template", "generate"),
        *("constants", "elsewhere", "reference", "store", "external", "pod", "arguments"),
        *("code", "yaml", "kind"),
    ],
)  # fmt: skip
def test_references_and_placeholders_are_not_masked(item: JsonObject) -> None:
    assert mask_places(item) == item
    assert [*credential_places(item)] == []


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        (fields("spec", "values", "auth", "password"), "x", MASK),
        (fields("spec", "values", "auth"), {"password": "x"}, {"password": MASK}),
        (fields("spec", "values"), {"password": "x"}, {"password": MASK}),
        (fields("spec", "password"), "x", "x"),
        (fields("spec", "target", "template", "data", "DB_PASSWORD"), "x", MASK),
        (fields("spec", "template", "stringData", "host"), "x", "x"),
        (fields("spec", "manifest", "stringData", "a"), "x", MASK),
        ((Field("parameters"), ByKey((("name", "a.password"),)), Field("value")), "x", MASK),
        ((Field("args"), Index(0)), "x", "x"),
        ((), {"args": ["--token", "x"]}, {"args": ["--token", MASK]}),
    ],
)  # fmt: skip
def test_a_changed_value_is_masked_by_its_path(path: Path, value: Json, shown: Json) -> None:
    assert mask_places(value, path) == shown


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (release({"auth": {"password": "correct-horse"}}), ["correct-horse"]),
        (of_map("SealedSecret", "spec", "template", "data", data={"token": "x"}), ["x"]),
        ({"kind": "Template", "objects": [{"kind": "Secret", "data": {"a": "x"}}]}, ["x"]),
        ({"args": ["--password", "x"]}, ["x"]),
        ({"env": [{"name": "A_TOKEN", "value": "x"}]}, ["x"]),
        (release({"text": "password: x\n"}), []),
    ],
    ids=["values", "template", "object", "argument", "variable", "text"],
)
def test_whole_values_are_sought_elsewhere(item: JsonObject, found: list[str]) -> None:
    assert [*credentials_in(item)] == found
    assert may_have_places([*maps(item)]) is bool(found)


def test_a_report_says_no_credential_of_values() -> None:
    item = release({"auth": {"password": "correct-horse"}})
    outcome = Outcome(WEB, Verdict.CREATED, result=item, warnings=("is correct-horse",))
    finding = replace(FINDING, message="correct-horse")

    report = mask_report(Report(findings=(finding,), outcomes=((document(WEB, item), outcome),)))

    assert "correct-horse" not in repr((report.findings, report.outcomes[0][1]))


def test_excerpts_end_where_a_credential_of_values_begins() -> None:
    item: JsonObject = {"spec": {"values": {"password": "x"}}, "data": {"f": "a: b\npassword: c\n"}}
    places: dict[Path, Span] = {
        fields("spec", "values", "password"): Span(1, 28, 1, 29),
        fields("data", "f"): Span(3, 6, 6, 1),
    }
    lines = ("spec: {values: {password:   x}}", "data:", "  f: |", "    a: b", "    password: c", "e: f")

    assert mask_sources({FILE: lines}, [document(WEB, item, places)])[FILE] == (
        *(f"{lines[0][:27]}{MASK}", "data:", "  f: |", "    a: b", f"    password: {MASK}", "e: f"),
    )
