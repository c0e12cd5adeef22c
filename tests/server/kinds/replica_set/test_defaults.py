from tests.server.defaults.support import POD_SPEC, defaulted_spec


def test_a_replica_set_gets_a_replica() -> None:
    assert defaulted_spec("apps/v1", "ReplicaSet", {}) == {"replicas": 1, "template": {"spec": POD_SPEC}}
