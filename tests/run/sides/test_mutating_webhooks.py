"""Groups that mutating webhooks in files are about."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.mutating_webhooks import mutated_group_finder

HEAD = "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("webhook", "groups"),
    [
        ("{name: w.other.io, rules: [{apiGroups: [x.io], resources: ['*']}]}", {"x.io"}),
        ("{name: w.other.io, rules: [{apiGroups: ['*']}]}", {"x.io", "y.io"}),
        ("{name: w.other.io, rules: [{apiGroups: [apps]}]}", set()),
        ("{name: webhook.pipeline.y.io}", {"y.io"}),
        ("{name: y.io}", {"y.io"}),
        ("{name: webhook.any.io}", set()),
        ("{name: webhook.{{ .x }}}", set()),
        ("text", set()),
    ],
)
def test_a_webhook_is_about_groups(tmp_path: Path, webhook: str, groups: set[str]) -> None:
    (tmp_path / "a.yaml").write_text(f"{HEAD}webhooks:\n- {webhook}\n")

    assert mutated_group_finder(sides.of_folder(str(tmp_path)))(["x.io", "y.io"]) == groups


def test_a_repository_without_webhooks_has_no_such_group(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")

    assert not mutated_group_finder(sides.of_folder(str(tmp_path)))(["x.io"])
