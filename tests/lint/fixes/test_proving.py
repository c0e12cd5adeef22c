from collections import Counter
from collections.abc import Sequence
from functools import partial

from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.lint.fixes.commands import Apply, Command, Delete
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, RemoveField, SetValue
from kubectl_applylint.lint.fixes.playing import Simulation
from kubectl_applylint.lint.fixes.proving import Harm, Prover
from kubectl_applylint.lint.model import LiveAssumption, Proof, Scenario, Subject
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.load.prediction import predictor
from tests.rules.stories import SCHEMA, subject

RULES = rulebook.built_in().rules
NOBODY = Unknown("no cluster was read")


def web(**spec: Json) -> JsonObject:
    container = {"name": "web", "image": "web:1", **spec}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template},
    }


def prover(found: Subject) -> Prover:
    cluster = ClusterModel({found.ref.identity: found.state.live}, Absent())
    whole = apply_set([found.document], cluster, schema=SCHEMA, predict=predictor(SCHEMA, NO_FLAGS))
    return Prover(whole, RULES)


def proof(manifest: JsonObject, rule: str, edits: Sequence[FieldEdit], live: Knowledge = NOBODY) -> Proof | None:
    found = subject(manifest, live=live)
    return prover(found).prove(found, 0, Counter([rule]), edits)


CPU = parse("spec.template.spec.containers[name=web].resources.limits.cpu")
TWIN = parse("spec.template.spec.containers[0].env[1]")
TWINS = web(env=[{"name": "A", "value": "x"}, {"name": "A", "value": "x"}, {"name": "B", "value": "y"}])


def test_an_edit_that_holds_in_every_case_has_no_condition() -> None:
    manifest = web(resources={"limits": {"cpu": "1000m"}})

    assert proof(manifest, "spelling-never-settles", [SetValue(CPU, "1")]) == Proof(Verdict.CONFIGURED)


def test_an_edit_that_leaves_the_finding_is_not_proven() -> None:
    manifest = web(resources={"limits": {"cpu": "1000m"}})

    assert proof(manifest, "spelling-never-settles", [SetValue(CPU, "2000m")]) is None


def test_an_edit_that_gets_the_apply_rejected_is_not_proven() -> None:
    manifest = web(resources={"limits": {"cpu": "1000m"}, "requests": {"cpu": "1"}})

    assert proof(manifest, "spelling-never-settles", [SetValue(CPU, "500m")]) is None


def test_an_edit_of_what_is_not_there_is_not_proven() -> None:
    assert proof(web(), "spelling-never-settles", [RemoveField(CPU)]) is None


def test_an_edit_that_loses_what_stays_in_the_file_holds_only_where_it_does_not() -> None:
    """The first apply after the edit removes both twins, since client-side apply takes them for one."""
    found = proof(TWINS, "entry-listed-twice-patches-wrong-one", [RemoveField(TWIN)])

    assert found == Proof(Verdict.CREATED, cases=(LiveAssumption.FRESH,))


def test_a_live_object_is_the_only_case() -> None:
    live = subject(TWINS).predict(Scenario.APPLY).result
    assert live is not None

    assert proof(TWINS, "entry-listed-twice-patches-wrong-one", [RemoveField(TWIN)], Present(live)) is None
    assert proof(TWINS, "entry-listed-twice-patches-wrong-one", [RemoveField(TWIN)], Absent()) == Proof(Verdict.CREATED)


def test_the_effect_is_what_the_edits_change_beyond_what_changes_anyway() -> None:
    live = subject(web(resources={"limits": {"cpu": "1000m"}})).predict(Scenario.APPLY).result
    manifest = web(image="web:2", resources={"limits": {"cpu": "1000m"}})
    assert live is not None

    alone = proof(manifest, "spelling-never-settles", [SetValue(CPU, "1")], Present(live))
    more = [SetValue(CPU, "1"), SetValue(parse("spec.template.spec.containers[0].image"), "web:3")]
    both = proof(web(resources={"limits": {"cpu": "1000m"}}), "spelling-never-settles", more, Present(live))

    assert alone == Proof(Verdict.CONFIGURED)
    image = "spec.template.spec.containers[0].image"
    assert both == Proof(Verdict.CONFIGURED, restarts=True, changes=(image,))


def test_a_proof_has_the_rejection_before_the_fix() -> None:
    manifest = web(ports=[{"containerPort": "80"}])
    edits = [SetValue(parse("spec.template.spec.containers[0].ports[0].containerPort"), 80)]

    assert proof(manifest, "value-of-wrong-type-rejected", edits) == Proof(Verdict.CREATED, was=Verdict.REJECTED)


def proof_of_commands(
    manifest: JsonObject, rule: str, commands: Sequence[Command], live: Knowledge = NOBODY
) -> Proof | Harm | None:
    found = subject(manifest, live=live)
    proving = prover(found)
    return proving.prove_commands(Simulation(found, proving.whole, 0, partial(predictor, SCHEMA)), rule, commands)


def selecting(**labels: Json) -> JsonObject:
    manifest = web()
    template = {**manifest["spec"]["template"], "metadata": {"labels": labels}}
    return {**manifest, "spec": {"selector": {"matchLabels": labels}, "template": template}}


APPLY = Apply(("web.yaml",))


def test_commands_are_proven_with_the_manifest_as_it_is() -> None:
    live = subject(selecting(app="web")).predict(Scenario.APPLY).result
    assert live

    proven = proof_of_commands(
        selecting(app="web", track="stable"),
        "selector-change-rejected",
        [Delete(), APPLY],
        Present(live),
    )

    assert proven == Proof(Verdict.CREATED, was=Verdict.REJECTED)


def test_commands_that_change_nothing_prove_nothing() -> None:
    assert proof_of_commands(web(), "selector-change-rejected", [APPLY], Absent()) is None


def test_to_delete_what_is_rejected_then_is_harm() -> None:
    live = subject(web()).predict(Scenario.APPLY).result
    assert live
    rejected = {**web(), "spec": {**selecting(app="web")["spec"], "selector": {"matchLabels": {"app": "other"}}}}

    assert proof_of_commands(rejected, "selector-change-rejected", [Delete(), APPLY], Present(live)) == Harm()
