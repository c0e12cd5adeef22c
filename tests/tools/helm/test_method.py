"""The default method of Helm for one object."""

from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import Release


def test_the_default_method_is_a_patch_without_migration() -> None:
    how = HelmWrite(Release("app", "shop"), None)

    assert (how.method, how.migrates, how.is_strict, how.creates_by_apply) == (Method.PATCH, False, False, False)


def test_manifests_are_not_shown() -> None:
    """They may be Secrets."""
    assert "hunter2" not in repr(HelmWrite(Release("app", "shop"), {"data": {"password": "hunter2"}}))
