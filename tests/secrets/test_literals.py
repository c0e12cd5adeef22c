import base64
import json
from dataclasses import replace
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.location import Span
from kubectl_applylint.core.outcome import Outcome, Verdict, Why, Write
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, fields
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.secrets.literals import Masker, make_masker, spellings
from kubectl_applylint.secrets.masked_sources import mask_sources
from kubectl_applylint.secrets.masking import mask_change, mask_report, mask_value
from kubectl_applylint.secrets.secret_places import MASK
from tests.report.samples import DOUBTFUL, FILE, FINDING, WEB, change, document

HELD = "correct-horse-battery"
SECRET: JsonObject = {"apiVersion": "v1", "kind": "Secret", "stringData": {"password": HELD, "user": "postgres"}}


def pod(*values: Json, image: str = "postgres:16", name: str = "V") -> JsonObject:
    env = [{"name": f"{name}{number}", "value": value} for number, value in enumerate(values)]
    return {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", "image": image, "env": env}]}}


def holding(text: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": text}}


def clean_text(text: str, *objects: JsonObject, file: str = "") -> str:
    return make_masker(objects, [text], [file]).clean(text)


@pytest.mark.parametrize(
    ("held", "text", "shown"),
    [
        (HELD, f"--password={HELD}", f"--password={MASK}"),
        (HELD, f"a{HELD}b", f"a{MASK}b"),
        ("s3cr3t", "https://web:s3cr3t@db", f"https://web:{MASK}@db"),
        ("s3cr3t", "s3cr3ts", "s3cr3ts"),
        ("s3cr", "a s3cr b", "a s3cr b"),
        ("hunting", "the hunting-lodge", "the hunting-lodge"),
        ("hunting", "pass hunting!", f"pass {MASK}!"),
        ("postgres", "postgres:16", "postgres:16"),
        ("Always", "pull Always", "pull Always"),
        ("secret-and-more", "a secret-and-more b", f"a {MASK} b"),
        ("first line\nsecond line", "says second line", f"says {MASK}"),
        ("A=b\nDB_PASSWORD=hunter-22\n", "uses hunter-22", f"uses {MASK}"),
        ("aHR0cHM6Ly9hOmh1bnRlci0yMkBi", "uses hunter-22", f"uses {MASK}"),
        ("S4nary\ttab x-54", "found 3: [S4nary tab x-54]", f"found 3: [{MASK}]"),
        ("S4nary\bback", 'value "S4nary\\u0008back"', f'value "{MASK}"'),
    ],
    ids=[
        *(
            "argument",
            "inside a long one",
            "six characters",
            "inside a short one",
            "too short",
            "word in a name",
            "word",
        ),
        *("common", "any case", "longest", "line", "part", "coded part", "tab", "control"),
    ],
)
def test_values_of_a_secret_are_masked_unless_they_are_names(held: str, text: str, shown: str) -> None:
    assert clean_text(text, holding(held)) == shown


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "Service", "metadata": {"name": "shop-db-1"}},
        {"kind": "ConfigMap", "data": {"shop-db-1": "x"}},
        {"kind": "Pod", "spec": {"containers": [{"name": "shop-db-1"}]}},
        {"kind": "Pod", "metadata": {"labels": {"app": "shop-db-1"}}},
    ],
    ids=["object", "key", "container", "label"],
)
def test_names_of_the_run_are_no_secrets(other: JsonObject) -> None:
    assert clean_text("to shop-db-1", holding("shop-db-1"), other) == "to shop-db-1"


def test_words_of_files_are_no_secrets() -> None:
    assert clean_text("in overlay-1/a.yaml", holding("overlay-1"), file="overlay-1/a.yaml") == "in overlay-1/a.yaml"


@given(st.text('xyz+/=\n"é&% \\', min_size=6).filter(lambda text: len(text.strip()) > 5))
def test_every_spelling_is_known(text: str) -> None:
    """Quoted as JSON once and twice, in a URL, in base64 of both alphabets."""
    content = text.encode()
    known = set(spellings(text))
    coded = base64.b64encode(content).decode()

    assert {text, coded, base64.urlsafe_b64encode(content).decode().rstrip("="), quote(text, safe="")} <= known
    assert {quote_plus(text), json.dumps(text)[1:-1], json.dumps(json.dumps(text)[1:-1])[1:-1]} <= known
    assert text in set(spellings(coded))


def test_credentials_for_registries_are_known_by_their_parts() -> None:
    auth = base64.b64encode(b"robot:swordfish-7").decode()
    config = base64.b64encode(json.dumps({"auths": {"r.example": {"auth": auth}}}).encode()).decode()
    secret = {"apiVersion": "v1", "kind": "Secret", "data": {".dockerconfigjson": config}}

    assert clean_text("login swordfish-7", secret) == f"login {MASK}"


ENV: Path = (*fields("spec", "containers"), ByKey((("name", "c"),)), Field("env"))


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ((*ENV, ByKey((("name", "V0"),)), Field("value")), HELD, MASK),
        ((*ENV, ByKey((("name", "A_TOKEN"),)), Field("value")), "abc", MASK),
        (fields("spec"), pod("abc", name="TOKEN_URL")["spec"], pod("abc", name="TOKEN_URL")["spec"]),
        (fields("spec"), pod(HELD)["spec"], pod(MASK)["spec"]),
        (fields("metadata", "annotations", LAST_APPLIED), f'{{"a":"{HELD}"}}', f'{{"a":"{MASK}"}}'),
        (fields("data", "url"), f"https://a:{HELD}@b", f"https://a:{MASK}@b"),
        (fields("spec"), MISSING, MISSING),
    ],
    ids=["variable", "telling", "not telling", "around it", "annotation", "elsewhere", "absent"],
)
def test_changes_are_masked_wherever_a_value_stands(path: Path, value: Json, shown: Json) -> None:
    masked = mask_change(WEB, change(path, value, MISSING, Why.SET), make_masker([SECRET], [json.dumps(str(value))]))

    assert masked.before == shown


def test_elements_of_lists_are_named_without_credentials() -> None:
    hide = make_masker([SECRET], [HELD])

    assert hide.path((Field("args"), ByValue(HELD), ByKey((("name", HELD),)))) == (
        *(Field("args"), ByValue(MASK), ByKey((("name", MASK),))),
    )


def test_a_report_repeats_no_literal_of_another_object() -> None:
    manifest, patch = pod(HELD), {"spec": pod(HELD)["spec"]}
    args: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": quote(HELD), "b": [f"--x={HELD}"]}}
    outcome = Outcome(
        WEB,
        Verdict.REJECTED,
        result=manifest,
        intended=args,
        requests=(Write("PATCH", "application/merge-patch+json", patch),),
        error=f"it says {HELD}",
        warnings=(f"beware of {HELD}",),
    )
    finding = replace(DOUBTFUL, ref=WEB, message=f"{HELD} goes", fix=f"echo {HELD}")
    report = Report(findings=(finding,), outcomes=((document(WEB, manifest), outcome),), notes=(HELD,))

    assert HELD not in repr(replace(mask_report(report, [SECRET, manifest]), outcomes=()))
    assert HELD not in repr(mask_report(report, [SECRET, manifest]).outcomes[0][1])
    assert mask_report(report, [manifest]) == report


def test_a_name_that_a_secret_holds_does_not_hide_images() -> None:
    finding = replace(FINDING, message="postgres:16 becomes postgres:17")

    assert mask_report(Report(findings=(finding,)), [SECRET, pod("a")]).findings == (finding,)


def test_a_variable_named_as_a_credential_is_masked_in_every_place() -> None:
    live = pod("in-plain-text", name="A_TOKEN")
    telling = {**live, "spec": {"containers": [{"name": "c", "env": [{"name": "A_TOKEN", "value": "in-plain-text"}]}]}}
    finding = replace(FINDING, message="in-plain-text")

    assert Masker().value(telling)["spec"]["containers"][0]["env"] == [{"name": "A_TOKEN", "value": MASK}]
    assert mask_report(Report(findings=(finding,)), [telling]).findings[0].message == MASK
    assert mask_value(WEB, (*ENV, ByKey((("name", "A_TOKEN"),)), Field("value")), "x") == MASK


def test_excerpts_end_where_a_literal_begins() -> None:
    item = {"env": [{"name": "V0", "value": HELD}, {"name": "A_TOKEN", "value": "x"}]}
    places: dict[Path, Span] = {(Field("env"), Index(1), Field("value")): Span(5, 10, 5, 11)}
    key = ("-----BEGIN PRIVATE KEY-----", "MIIE", "-----END PRIVATE KEY-----")
    lines = ("env:", "- name: V0", f"  value: {HELD}", "- name: A_TOKEN", "  value: x", *key, "a: b")

    shown = mask_sources({FILE: lines}, [document(WEB, item, places)], [SECRET])[FILE]

    assert shown[:5] == ("env:", "- name: V0", f"  value: {MASK}", "- name: A_TOKEN", f"  value: {MASK}")
    assert "MIIE" not in "".join(shown)
    assert shown[-1] == "a: b"


@pytest.mark.parametrize(
    ("held", "text", "shown"),
    [
        pytest.param("key=" + "a1" * 100, f"says {'key=' + 'a1' * 20}… and more", f"says {MASK}… and more", id="cut"),
        pytest.param("first line\nsecond line of it", "says first line second li…", f"says {MASK}…", id="line"),
        pytest.param('{"a": "correct-horse"}', 'says {\\"a\\": \\"corr…', f"says {MASK}…", id="inside quotes"),
        pytest.param("correct-horse", "says corre…", "says corre…", id="too little to tell"),
        pytest.param("correct-horse", "a correct-h b, more…", "a correct-h b, more…", id="not where it is cut"),
    ],
)
def test_the_beginning_of_what_was_cut_short_is_masked(held: str, text: str, shown: str) -> None:
    assert clean_text(text, holding(held)) == shown
    code = base64.b64encode(held.encode()).decode()
    if len(code) > 40:
        assert clean_text(f"{code[:30]}…", holding(held)) == f"{MASK}…"
