"""The fields of kustomization files; ``tests/fidelity/test_record_flux_builds.py`` compares the table with Go."""

from kubectl_applylint.tools.flux.kustomization_fields import known_fields


def test_unknown_fields_and_nulls_are_dropped_and_keys_have_any_case() -> None:
    patch = {"path": "a.yaml", "target": {"kind": "Job", "age": 1}, "why": "x"}
    content = {"Resources": ["a"], "patches": [patch, "odd"], "more": 1, "namespace": None, "openapi": {"any": "x"}}

    assert known_fields(content) == {
        "resources": ["a"],
        "patches": [{"path": "a.yaml", "target": {"kind": "Job"}}, "odd"],
        "openapi": {"any": "x"},
    }
