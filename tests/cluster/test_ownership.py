"""Migrations and handovers walked on a real server with a real kubectl: every step is as it was predicted.

The stories are those of the documentation of server-side apply (conflicts, sharing, transferring ownership, upgrading
from client-side apply and going back) and of the page on declarative configuration (a field leaves its manifest).
"""

from collections.abc import Callable, Mapping

import pytest

from kubectl_applylint.core.paths import get, parse, render
from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.schema.load import load
from tests.cluster.desk import HPA, Desk

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: web
          image: web:1
          ports:
            - {name: http, containerPort: 80}
"""
WITHOUT_REPLICAS = WEB.replace("  replicas: 3\n", "")
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80}]
"""
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: '1', b: '2'}\n"


def owned_fields(live: JsonObject) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Return the managers of a live object with their fields, in the form of ``predicted_owners``."""
    kind = load("1.36").kind(str(live["apiVersion"]), str(live["kind"]))
    found = ownership_of(live, kind)
    return sorted(
        (each.name, each.operation, each.subresource, tuple(render(field.path) for field in found.of(each)))
        for each in found.managers
    )


def predicted_owners(step: JsonObject) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Return the managers with their fields that the effect of a step predicts."""
    return sorted(
        (each["manager"], each["operation"], each["subresource"] or "", tuple(each["fields"]))
        for each in step["effect"]["owners"]
    )


def content(live: JsonObject) -> JsonObject:
    """Return the object without what every write changes."""
    made = ("managedFields", "resourceVersion", "generation", "annotations")
    return {**live, "metadata": {key: value for key, value in live["metadata"].items() if key not in made}}


def apply_web(desk: Desk, text: str, *flags: str) -> None:
    desk.write(text)
    desk.does(" ".join(("kubectl apply -f web.yaml", *flags)))


def client_side(desk: Desk) -> None:
    apply_web(desk, WEB)


def apply_and_scale(desk: Desk) -> None:
    apply_web(desk, WEB)
    desk.scale(7)


def handed_over(desk: Desk) -> None:
    apply_and_scale(desk)
    desk.write(WITHOUT_REPLICAS)


def another_image(desk: Desk) -> None:
    apply_web(desk, WEB)
    desk.write(WEB.replace("web:1", "web:2"))


def by_hand(desk: Desk) -> None:
    apply_web(desk, WEB)
    desk.does("kubectl set env deployment/web DEBUG=1")
    desk.does("kubectl label deployment/web team=shop")
    desk.does('kubectl patch deployment/web -p \'{"spec":{"paused":true}}\'')


def forgotten(desk: Desk) -> None:
    by_hand(desk)
    desk.forget()


def create(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create -f web.yaml")


def several(desk: Desk) -> None:
    apply_web(desk, "---\n".join((WEB, SERVICE, SETTINGS)))
    desk.write("---\n".join((WEB, SERVICE, SETTINGS.replace(", b: '2'", ""))))


def server_side(desk: Desk) -> None:
    apply_web(desk, WEB, "--server-side")


def apply_both_sides(desk: Desk) -> None:
    apply_web(desk, WEB)
    desk.does("kubectl apply --server-side -f web.yaml")


def drop_field(desk: Desk) -> None:
    apply_web(desk, "---\n".join((WEB, SETTINGS)), "--server-side")
    desk.write("---\n".join((WEB, SETTINGS.replace(", b: '2'", ""))))


def by_team(desk: Desk) -> None:
    apply_web(desk, WEB, "--server-side", "--field-manager=team")


def mix_sides(desk: Desk) -> None:
    apply_web(desk, WEB, "--server-side")
    apply_web(desk, WEB.replace("web:1", "web:2"))


Story = Callable[[Desk], None]
TO_SERVER = (client_side, handed_over, another_image, by_hand, forgotten, create, several, mix_sides)
TO_CLIENT = (server_side, apply_both_sides, drop_field, by_team, mix_sides)
WALKS = [*((story, "server") for story in TO_SERVER), *((story, "client") for story in TO_CLIENT)]


@pytest.mark.parametrize(("story", "side"), WALKS, ids=[f"{story.__name__} to {side}" for story, side in WALKS])
def test_a_migration_has_the_predicted_results(story: Story, side: str, desk: Desk) -> None:
    story(desk)
    plan = desk.report(f"migrate -f web.yaml --to {side}")
    assert plan["commands"], "nothing to do"

    for command in plan["commands"]:
        done = desk.sh(command)
        assert done.returncode == 0, done.stderr
        for each in plan["objects"]:
            for step in (step for step in each["steps"] if step["command"] == command):
                assert f"/web {step['effect']['verdict']}" in done.stdout
                live = desk.live(each["kind"])
                assert owned_fields(live) == predicted_owners(step)
                for change in (*step["effect"]["resets"], *step["effect"]["deletes"]):
                    assert get(live, parse(change["path"])) == change.get("after", MISSING)
    for each in plan["objects"]:
        assert [desk.sh(check).stdout for check in each["check"]] == [""]
    if side == "server":
        assert [each["steps"] for each in desk.report("migrate -f web.yaml")["objects"]] == [
            [] for _ in plan["objects"]
        ]


@pytest.mark.parametrize(
    "story", [client_side, server_side, apply_both_sides, several], ids=lambda story: story.__name__
)
def test_the_way_back_leads_back(story: Story, desk: Desk) -> None:
    story(desk)
    side = "client" if story in (server_side, apply_both_sides) else "server"
    plan = desk.report(f"migrate -f web.yaml --to {side}")

    ends = [desk.sh(line).returncode for line in (*plan["commands"], *plan["objects"][0]["back"])]

    assert plan["objects"][0]["back"] != []
    assert ends == [0] * len(ends)


def test_a_conflict_and_its_forced_remedy_go_as_predicted(desk: Desk) -> None:
    apply_and_scale(desk)
    (item,) = desk.report("migrate -f web.yaml")["objects"]
    (step,), forced = item["steps"], item["alternative"]

    refused = desk.sh(step["command"])
    live = desk.live()

    assert step["effect"]["conflicts"] == [{"path": "spec.replicas", "manager": HPA}]
    assert refused.returncode == 1
    assert f'conflict with "{HPA}" with subresource "scale" using apps/v1: .spec.replicas' in refused.stderr
    assert live["spec"]["replicas"] == 7

    desk.sh(forced["command"])

    assert forced["effect"]["taken"] == [{"path": "spec.replicas", "from": [HPA]}]
    assert owned_fields(desk.live()) == predicted_owners(forced)


def test_duplicates_are_rejected_as_predicted(desk: Desk) -> None:
    doubled = WEB.replace(
        "          image: web:1\n", "          image: web:1\n          env: [{name: A}, {name: A, value: x}]\n"
    )
    apply_web(desk, WEB)
    desk.write(doubled)
    (item,) = desk.report("migrate -f web.yaml")["objects"]
    (step,) = item["steps"]

    refused = desk.sh(step["command"])

    assert step["effect"]["verdict"] == "rejected"
    assert refused.returncode == 1
    assert step["effect"]["causes"][0]["message"] in refused.stderr


def follow_handover(desk: Desk, to: str, edits: Mapping[str, str]) -> list[str]:
    """Follow ``handover`` until it is done; return the steps. ``edits`` has the edits of the manifest."""
    before, walked = content(desk.live()), list[str]()
    text = (desk.folder / "web.yaml").read_text()
    for _ in range(6):
        (item,) = desk.report(f"handover deploy/web spec.replicas --to {to} -f web.yaml")["objects"]
        (step,) = item["steps"]
        walked.append(step["kind"] if step["kind"] != "run" else step["command"].splitlines()[0])
        assert content(desk.live()) == before
        if step["kind"] == "run":
            assert desk.sh(step["command"]).returncode == 0
            assert step["effect"] is None or owned_fields(desk.live()) == predicted_owners(step)
        elif step["kind"] == "edit":
            text = edits[text]
            desk.write(text)
        else:
            return walked
    raise AssertionError(walked)


def owners_of_replicas(desk: Desk) -> list[str]:
    return [
        f"{name} {operation}" for name, operation, _, fields in owned_fields(desk.live()) if "spec.replicas" in fields
    ]


OUT = {WEB: WITHOUT_REPLICAS}
SET = "kubectl apply set-last-applied -n {} -f - <<'EOF'"
SHARE = "kubectl apply --server-side --field-manager={} --validate=false -n {} -f - <<'EOF'"
APPLY = "kubectl apply --server-side -f web.yaml -n {}"


def test_client_side_apply_hands_replicas_to_the_autoscaler(desk: Desk) -> None:
    apply_and_scale(desk)

    walked = follow_handover(desk, HPA, OUT)
    desk.does("kubectl apply -f web.yaml")

    assert walked == [SET.format(desk.namespace), "edit", "done"]
    assert (desk.live()["spec"]["replicas"], owners_of_replicas(desk)) == (7, [f"{HPA} Update"])


def test_a_line_that_was_removed_too_early_is_still_handed_over(desk: Desk) -> None:
    handed_over(desk)

    walked = follow_handover(desk, HPA, {})
    desk.does("kubectl apply -f web.yaml")

    assert walked == [f"kubectl apply set-last-applied -f web.yaml -n {desk.namespace}", "done"]
    assert desk.live()["spec"]["replicas"] == 7


def test_server_side_apply_hands_replicas_over_before_the_autoscaler_writes(desk: Desk) -> None:
    server_side(desk)

    walked = follow_handover(desk, "handover-to-hpa", OUT)

    assert walked == [SHARE.format("handover-to-hpa", desk.namespace), "edit", APPLY.format(desk.namespace), "done"]
    assert owners_of_replicas(desk) == ["handover-to-hpa Apply"]

    desk.scale(7)

    assert owners_of_replicas(desk) == [f"{HPA} Update"]


def test_server_side_apply_hands_replicas_over_after_the_autoscaler_wrote(desk: Desk) -> None:
    server_side(desk)
    desk.scale(7)

    walked = follow_handover(desk, HPA, OUT)
    desk.does("kubectl apply --server-side -f web.yaml")

    assert walked == ["edit", "done"]
    assert (desk.live()["spec"]["replicas"], owners_of_replicas(desk)) == (7, [f"{HPA} Update"])


def test_after_a_migration_last_applied_is_brought_in_step(desk: Desk) -> None:
    apply_both_sides(desk)
    desk.scale(7)

    walked = follow_handover(desk, HPA, OUT)
    desk.does("kubectl apply -f web.yaml")

    assert walked == ["edit", APPLY.format(desk.namespace), "done"]
    assert desk.live()["spec"]["replicas"] == 7


def test_an_unfinished_migration_is_finished_first(desk: Desk) -> None:
    apply_web(desk, WEB, "--server-side")
    desk.does("kubectl apply -f web.yaml")

    walked = follow_handover(desk, "handover-to-hpa", OUT)

    apply = APPLY.format(desk.namespace)
    assert walked == [apply, SHARE.format("handover-to-hpa", desk.namespace), "edit", apply, "done"]
    assert owners_of_replicas(desk) == ["handover-to-hpa Apply"]


def test_a_field_is_shared_with_a_team_that_applies_more(desk: Desk) -> None:
    server_side(desk)
    (desk.folder / "team.yaml").write_text(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {team: shop}}\n"
    )
    desk.does("kubectl apply --server-side --field-manager=team --validate=false -f team.yaml")

    walked = follow_handover(desk, "team", OUT)

    assert walked == [SHARE.format("team", desk.namespace), "edit", APPLY.format(desk.namespace), "done"]
    assert desk.live()["metadata"]["labels"] == {"team": "shop"}
    assert owners_of_replicas(desk) == ["team Apply"]


def test_the_manifest_takes_replicas_from_the_autoscaler(desk: Desk) -> None:
    apply_web(desk, WITHOUT_REPLICAS, "--server-side")
    desk.scale(7)
    seven = WEB.replace("replicas: 3", "replicas: 7")

    walked = follow_handover(desk, "kubectl", {WITHOUT_REPLICAS: seven})

    assert walked == ["edit", APPLY.format(desk.namespace), "done"]
    assert "kubectl Apply" in owners_of_replicas(desk)


def test_client_side_apply_takes_replicas_from_a_scale_by_hand(desk: Desk) -> None:
    apply_web(desk, WITHOUT_REPLICAS)
    desk.does("kubectl scale deployment/web --replicas=7")
    seven = WEB.replace("replicas: 3", "replicas: 7")

    walked = follow_handover(desk, "kubectl-client-side-apply", {WITHOUT_REPLICAS: WEB, WEB: seven})

    assert walked == ["edit", "edit", f"kubectl apply -f web.yaml -n {desk.namespace}", "done"]
