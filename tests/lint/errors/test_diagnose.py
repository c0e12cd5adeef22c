"""Diagnoses of the built-in rules for errors that kubectl has really printed."""

import gzip
import json
from collections.abc import Iterator

import pytest

from kubectl_applylint.lint.errors.diagnose import Diagnosis, diagnose
from kubectl_applylint.lint.errors.error_log import logged_errors
from kubectl_applylint.lint.model import Need, Rule
from kubectl_applylint.rulebook import rulebook
from tests.cases.cases import read_case
from tests.cases.tool_cases import case_files, read_tool_case
from tests.fidelity.recording import open_recording
from tests.tree import ROOT

RULES = {rule.id: rule for rule in rulebook.built_in().rules}
RECORDING = ROOT / "tests/fidelity/recorded-1.36.jsonl.gz"


def diagnose_text(text: str) -> tuple[Diagnosis, ...]:
    return diagnose(logged_errors(text), RULES.values())


def explaining_rules(text: str) -> list[list[str]]:
    """Return the rules that are named for each error."""
    return [[explanation.rule.id for explanation in diagnosis.explanations] for diagnosis in diagnose_text(text)]


SELECTOR = 'The Deployment "web" is invalid: spec.selector: Invalid value: {"a":"b"}: field is immutable\n'


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The order in patch list: [map[name:A]] doesn't match $setElementOrder list: [map[name:B]]", "entry-listed-"),
        ('.spec.containers: duplicate entries for key [name="web"]', "entry-listed-twice-rejected"),
        ('an element that omits key field "name" (and doesn\'t have default value)', "list-entry-without-key-rejected"),
        ("omits all key fields", "list-entry-without-key-rejected"),
        ("map: map[] does not contain declared merge key: name", "list-entry-without-key-rejected"),
        ("delete patch type with no merge key defined", "list-entry-without-key-rejected"),
        (
            "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
            "strategy-contradiction-rejected",
        ),
        (
            "spec.updateStrategy.rollingUpdate: Invalid value: {}: only allowed for updateStrategy 'RollingUpdate'",
            "strategy-contradiction-rejected",
        ),
        (
            'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
            "members-exclude-each-other-rejected",
        ),
        ("may not specify more than 1 handler type", "members-exclude-each-other-rejected"),
        ("may not specify more than 1 volume type", "members-exclude-each-other-rejected"),
        (
            "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
            "service-type-field-rejected",
        ),
        ('spec.clusterIP: Invalid value: "": field is immutable', "service-address-change-rejected"),
        ('spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set', "service-address-change-rejected"),
        (
            "Warning: resource configmaps/a is missing the kubectl.kubernetes.io/last-applied-configuration annotation",
            "last-applied-missing-keeps-fields",
        ),
        ("metadata.annotations: Too long: must have at most 262144 bytes", "last-applied-too-long-rejected"),
        ("metadata.annotations: Too long: may not be more than 262144 bytes", "last-applied-too-long-rejected"),
        (
            "the object has been modified; please apply your changes to the latest version and try again",
            "exported-version-blocks-apply",
        ),
        (
            "metadata.resourceVersion: Invalid value: 0: must be specified for an update",
            "exported-version-blocks-apply",
        ),
        ("Precondition failed: UID in precondition: a, UID in object meta: b", "exported-version-blocks-apply"),
        ("metadata.managedFields must be nil", "exported-fields-never-settle"),
        ('error: Apply failed with 1 conflict: conflict with "hpa": .spec.replicas', "field-of-other-manager-rejected"),
        ("request to convert CR to an invalid group/version: example.com/v1alpha1", "owner-of-lost-version-rejected"),
        (".spec.foo: field not declared in schema", "undeclared-field-rejected"),
        ("spec.frozen: Invalid value: 1: field is immutable", "field-immutable-rejected"),
        ('roleRef: Invalid value: {"Name":"x"}: cannot change roleRef', "role-ref-change-rejected"),
        ("spec: Forbidden: updates to statefulset spec for fields other than 'x'", "stateful-set-change-rejected"),
        (
            'status.storedVersions[0]: Invalid value: "v1beta1": must appear in spec.versions',
            "definition-version-removed-rejected",
        ),
        ("error: from x-: cannot use generate name with apply", "generated-name-rejected"),
        (
            'error: the namespace from the provided object "a" does not match the namespace "b".',
            "namespace-of-flag-rejected",
        ),
        ("ensure CRDs are installed first", "kind-not-there-rejected"),
        ('error: no matches for kind "Widget" in version "example.com/v1"', "kind-not-there-rejected"),
        ('Error from server (NotFound): namespaces "x" not found', "namespace-not-there-rejected"),
        ('Warning: env[1]: hides previous definition of "A"', "entry-listed-twice-patches-wrong-one"),
        (
            "Warning: Detected changes to resource web which is currently being deleted.",
            "object-being-deleted-loses-apply",
        ),
        ('error: admission webhook "x" does not support dry run', "webhook-refuses-dry-run"),
        ("may not add resource with an already registered id: x", "same-object-twice-overwrites"),
    ],
    ids=lambda value: value[:40],
)
def test_the_texts_that_ci_logs_show_are_known(text: str, rule: str) -> None:
    """The list of error texts by hazard; kinds are left out, so rules of one kind are asked with it."""
    kinds = [kind for name, asked in RULES.items() if name.startswith(rule) for kind in asked.kinds[:1]]
    asked = f'The {kinds[0]} "x" is invalid: {text}' if kinds else text

    assert any(name.startswith(rule) for names in explaining_rules(asked) for name in names)


_SAYS_ANOTHER = "selector-change-rejected/bad-statefulset-value"
"""The server names no field there, so that only the manifest shows that it is the selector."""


def texts() -> Iterator[object]:
    """Yield what kubectl printed in the cases of each rule, and the examples that its errors give."""
    for rule in RULES.values():
        for file in case_files(rule.folder) if rule.errors else ():
            if f"{rule.id}/{file.stem}" == _SAYS_ANOTHER:
                continue
            text = read_case(file.read_text(), file=str(file), rule=rule.id).said
            if text:
                yield pytest.param(rule, text, id=f"{rule.id}/{file.stem}")
        for file in case_files(rule.folder, of_tools=True) if rule.errors else ():
            record = read_tool_case(file.read_text(), file=str(file), rule=rule.id).record
            if record and record.said and file.name.startswith("bad-"):
                yield pytest.param(rule, record.said, id=f"{rule.id}/{file.stem}")
        for number, error in enumerate(rule.errors):
            if error.example:
                yield pytest.param(rule, error.example, id=f"{rule.id}/example {number}")


@pytest.mark.parametrize(("rule", "text"), list(texts()))
def test_a_rule_is_named_for_what_it_says_it_explains(rule: Rule, text: str) -> None:
    names = {name for names in explaining_rules(text) for name in names}

    # The text does not say which program printed it, so the rule about kubectl explains it.
    is_about_kubectl = any(applier.startswith("kubectl") for applier in rule.appliers)
    assert rule.id in names or (not is_about_kubectl and not names.isdisjoint(rule.refines))


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if not rule.check], ids=lambda rule: rule.id)
def test_a_rule_without_cases_has_an_example_of_every_error(rule: Rule) -> None:
    assert [error.message for error in rule.errors if not error.example] == []


@pytest.mark.slow
def test_most_of_what_was_recorded_is_explained() -> None:
    with open_recording(RECORDING) as (_, stories):
        refused = [story.stderr for story in stories if not story.accepted]
    whole = [all(diagnosis.known for diagnosis in diagnose_text(text)) for text in refused]

    assert sum(whole) / len(whole) > 0.94


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["helm3", "helm4", "flux", "argocd", "kapp"])
def test_most_of_what_tools_say_is_explained(tool: str) -> None:
    with gzip.open(RECORDING.with_name(f"{tool}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        calls = [json.loads(line) for line in lines][1:]
    failed = [call["stderr"] for call in calls if call["exit"]]
    whole = [all(diagnosis.known for diagnosis in diagnose_text(text)) for text in failed]

    assert sum(whole) / len(whole) > 0.9


def test_names_and_namespaces_stand_in_the_commands() -> None:
    text = f"""\
Error from server (Invalid): error when applying patch:
{{}}
to:
Resource: "apps/v1, Resource=deployments", GroupVersionKind: "apps/v1, Kind=Deployment"
Name: "web", Namespace: "shop"
for: "my app/web.yaml": error when patching "my app/web.yaml": {SELECTOR.replace("The Deployment", "Deployment")}"""

    (diagnosis,) = diagnose_text(text)

    fix = diagnosis.explanations[0].fix
    assert "kubectl delete deployment/web -n shop --cascade=orphan" in fix
    assert "kubectl apply -f 'my app/web.yaml' -n shop" in fix
    assert "<before>" in fix


def test_facts_of_the_message_fill_the_words() -> None:
    (diagnosis,) = diagnose_text('error: no matches for kind "Widget" in version "example.com/v1"')

    assert "kubectl api-resources | grep -i Widget" in diagnosis.explanations[0].fix


def test_errors_of_one_object_with_one_explanation_are_one() -> None:
    text = 'The Service "web" is invalid: \n* spec.ports[0].name: Required value\n* spec.ports[1].name: Required value'

    (diagnosis,) = diagnose_text(text)

    assert diagnosis.said == ("spec.ports[0].name: Required value", "spec.ports[1].name: Required value")


def test_an_error_that_follows_from_another_has_its_explanation() -> None:
    text = (
        'The Deployment "web" is invalid: \n* spec.selector: Required value\n'
        '* spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'
    )

    assert explaining_rules(text) == [["selector-missing-rejected"]]
    assert explaining_rules(text.replace("spec.selector: Required value", "x")) == [
        [],
        ["selector-template-mismatch-rejected"],
    ]


def test_an_unknown_error_is_reported_as_unknown() -> None:
    (diagnosis,) = diagnose_text("error: the moon is full")

    assert (diagnosis.known, diagnosis.said) == (False, ("the moon is full",))


def test_loose_text_counts_only_where_nothing_else_is() -> None:
    assert explaining_rules("some text") == [[]]
    assert explaining_rules(f"some text\n\n{SELECTOR}") == [["selector-change-rejected"]]
    assert explaining_rules("Warning: v1 Endpoints is deprecated") == []


def test_rules_about_many_things_are_named_only_where_none_about_one_is() -> None:
    immutable = RULES["field-immutable-rejected"]

    assert Need.UNEXPLAINED in immutable.needs
    assert explaining_rules(SELECTOR) == [["selector-change-rejected"]]
    assert explaining_rules(SELECTOR.replace("Deployment", "Widget")) == [["field-immutable-rejected"]]


def test_values_of_secrets_are_not_repeated() -> None:
    secret = 'The Secret "token" is invalid: type: Invalid value: "s3cr3t": field is immutable'
    patch = 'The request is invalid: patch: Invalid value: "map[data:map[token:s3cr3t]]": illegal base64 data'

    assert [said for diagnosis in (*diagnose_text(secret), *diagnose_text(patch)) for said in diagnosis.said] == [
        "type: Invalid value: …: field is immutable",
        "patch: Invalid value: …: illegal base64 data",
    ]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('error: Apply failed with 1 conflict: conflict with "hpa": .spec.replicas', "kubectl apply --server-side -f "),
        (SELECTOR, "kubectl apply -f "),
    ],
    ids=["server-side", "either way"],
)
def test_the_apply_is_repeated_the_way_it_was_called(text: str, command: str) -> None:
    (diagnosis,) = diagnose_text(text)

    assert command in diagnosis.explanations[0].fix
    assert "<apply>" not in diagnosis.explanations[0].fix
