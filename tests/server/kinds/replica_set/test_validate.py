from tests.server.validate.objects import LABELS, a, fields


def test_a_replica_set_without_template() -> None:
    assert fields(a("apps/v1", "ReplicaSet", {"selector": {"matchLabels": LABELS}})) == [
        "spec.template.metadata.labels",
        "spec.template.spec.containers",
    ]
