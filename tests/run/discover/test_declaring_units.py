"""The unit that applies the object that declares another unit."""

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.run.discover.declaring_units import declaring_units
from kubectl_applylint.units.model import Applied, Form, Reason, Unit


def unit(name: str, file: str, *files: str, cluster: str = "prod", form: Form = Form.KUSTOMIZATION) -> Unit:
    ref = ObjectRef("x/v1", "Kind", "flux", name)
    applied = Applied("flux", reason=Reason(name, file, 1), declared_by=ref, cluster=cluster)
    return Unit(name, form, frozenset(files), applied)


def positions(*units: Unit) -> tuple[int | None, ...]:
    return declaring_units(units, lambda path: f"repo/{path}")


def test_the_smallest_unit_with_the_file_declares_a_unit() -> None:
    root = unit("root", "repo/root.yaml", "root.yaml", "apps.yaml", "web.yaml")
    apps = unit("apps", "repo/apps.yaml", "web.yaml")

    assert positions(root, apps, unit("web", "repo/web.yaml")) == (None, 0, 1)


def test_each_cluster_has_its_own_declarations() -> None:
    root = unit("root", "repo/root.yaml", "apps.yaml")

    assert positions(root, unit("apps", "repo/apps.yaml", cluster="test")) == (None, None)


def test_the_objects_of_a_resource_set_are_declared_by_it() -> None:
    root = unit("root", "repo/root.yaml", "set.yaml")
    made = unit("set", "repo/set.yaml", form=Form.RESOURCE_SET)

    assert positions(root, made, unit("web", "repo/set.yaml")) == (None, 0, 1)


def test_a_unit_of_the_layout_is_declared_by_none() -> None:
    assert positions(Unit("apps", Form.FOLDER, frozenset({"a.yaml"}))) == (None,)


def test_an_application_does_not_declare_another_one_of_its_file() -> None:
    chart = Unit("apps", Form.CHART, frozenset({"apps.yaml"}), Applied("helm", reason=Reason("a chart")))
    shop = unit("shop", "repo/apps.yaml", "apps.yaml", "shop.yaml", cluster="apps", form=Form.RELEASE)
    web = unit("web", "repo/apps.yaml", "apps.yaml", cluster="apps", form=Form.RELEASE)

    assert positions(chart, shop, web, unit("inner", "repo/shop.yaml", cluster="apps")) == (None, 0, 0, 1)
