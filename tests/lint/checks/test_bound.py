"""Whom bindings are for."""

import pytest

from kubectl_applylint.lint.checks._bound import impersonation_flags, subject_names


def test_subjects_have_the_names_of_the_server() -> None:
    subjects = [{"kind": "ServiceAccount", "name": "ci"}, {"kind": "Group", "name": "dev"}]

    assert subject_names({"subjects": subjects}, "shop") == ["system:serviceaccount:shop:ci", "group/dev"]


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("system:serviceaccount:shop:ci", "--as=system:serviceaccount:shop:ci"),
        ("user/alice", "--as=alice"),
        ("group/dev team", "--as=member --as-group='dev team'"),
    ],
)
def test_kubectl_asks_as_a_subject(name: str, flags: str) -> None:
    assert impersonation_flags(name) == flags
