"""Whom bindings are for."""

from kubectl_applylint.lint.checks._bound import subject_names


def test_subjects_are_told_as_the_server_calls_them() -> None:
    subjects = [{"kind": "ServiceAccount", "name": "ci"}, {"kind": "Group", "name": "dev"}]

    assert subject_names({"subjects": subjects}, "shop") == ["system:serviceaccount:shop:ci", "group/dev"]
