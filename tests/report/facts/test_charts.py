import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.report.facts.charts import ChartChange, ObjectOfUnit, chart_changes


def chart_object(chart: str, app: str = "") -> JsonObject:
    labels = {"helm.sh/chart": chart, **({"app.kubernetes.io/version": app} if app else {})}
    return {"kind": "Service", "metadata": {"labels": labels}}


def one(before: JsonObject | None, after: JsonObject | None, unit: str = "release/web") -> ObjectOfUnit:
    return ObjectOfUnit(unit, "object", (before, after))


def chart_versions(*objects: ObjectOfUnit) -> list[tuple[str, str, str]]:
    return [(found.name, found.before, found.after) for found in chart_changes(objects)]


def test_a_version_in_labels_changes_once_for_all_objects_of_a_release() -> None:
    objects = [one(chart_object("web-1.0.0", "v1"), chart_object("web-1.1.0", "v2")) for _ in range(3)]
    other = one(chart_object("web-1.0.0", "v1"), chart_object("web-1.1.0", "v2"), "release/other")

    assert chart_changes([*objects, one(chart_object("web-1.0.0"), chart_object("web-1.1.0")), other]) == (
        ChartChange("web", "1.0.0", "1.1.0", "v1", "v2", ("release/web", "release/other")),
    )


def test_objects_that_come_and_go_do_not_change_the_version() -> None:
    same = one(chart_object("web-1.0.0"), chart_object("web-1.0.0"))

    assert chart_versions(same, one(None, chart_object("web-1.0.0")), one(chart_object("web-1.0.0"), None)) == []
    assert chart_versions(one(None, chart_object("web-1.0.0"))) == [("web", "", "1.0.0")]
    assert chart_versions(one(chart_object("web-1.0.0"), None)) == [("web", "1.0.0", "")]


@pytest.mark.parametrize(
    ("label", "name", "version"),
    [
        ("kube-prometheus-stack-88.2.0", "kube-prometheus-stack", "88.2.0"),
        ("web-2-1.2.3-rc.1", "web-2", "1.2.3-rc.1"),
        ("web-v1.2.3_build", "web", "v1.2.3+build"),
    ],
)
def test_a_label_has_the_name_and_the_version(label: str, name: str, version: str) -> None:
    assert chart_versions(one(None, chart_object(label))) == [(name, "", version)]
    assert chart_versions(one(None, chart_object("no version"))) == []
    assert chart_versions(one(None, {"metadata": {"labels": {"chart": label}}})) == [(name, "", version)]


def helm(version: str, source: str = "HelmRepository") -> JsonObject:
    spec = {"chart": "web", "version": version, "sourceRef": {"kind": source}}
    return {"kind": "HelmRelease", "spec": {"chart": {"spec": spec}}}


def oci(**ref: Json) -> JsonObject:
    return {"kind": "OCIRepository", "spec": {"url": "oci://ghcr.io/charts/web", "ref": ref}}


def application(version: str) -> JsonObject:
    return {"kind": "Application", "spec": {"source": {"chart": "web", "targetRevision": version}, "sources": [{}]}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (helm("1.0.0"), helm("1.1.0")),
        (oci(tag="1.0.0"), oci(tag="1.1.0")),
        (application("1.0.0"), application("1.1.0")),
        *(
            (
                {"kind": "HelmChart", "spec": spec | {"version": "1.0.0"}},
                {"kind": "HelmChart", "spec": spec | {"version": "1.1.0"}},
            )
            for spec in [{"chart": "web", "sourceRef": {"kind": "HelmRepository"}}]
        ),
    ],
)
def test_a_declared_version_counts_if_nothing_is_rendered_with_it(before: JsonObject, after: JsonObject) -> None:
    declared = one(before, after, "apps")

    assert chart_changes([declared]) == (ChartChange("web", "1.0.0", "1.1.0", "", "", ("object",)),)
    assert chart_changes([declared, one(chart_object("web-1.0.0"), chart_object("web-1.1.0"))])[0].releases == (
        "release/web",
    )


def test_a_chart_of_a_git_repository_has_no_version() -> None:
    assert chart_versions(one(helm("1", "GitRepository"), helm("2", "GitRepository"))) == []


def test_a_digest_follows_the_tag() -> None:
    both = [one(oci(tag="1", digest="sha256:a"), oci(tag="2", digest="sha256:b"))]

    assert chart_versions(*both) == [("web", "1@sha256:a", "2@sha256:b")]
    assert chart_versions(one(oci(semver="1.x", tag="1"), oci(digest="sha256:b"))) == [("web", "1.x", "sha256:b")]
