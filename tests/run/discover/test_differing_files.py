"""The differing files that a unit is rendered from."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.discover.differing_files import differing_files
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

WEB = ObjectRef("argoproj.io/v1alpha1", "Application", "argocd", "web")
FILES = frozenset({"apps/all.yaml", "web/values.yaml"})


@pytest.mark.parametrize(
    ("form", "path", "files"),
    [
        (Form.RELEASE, "web", {"web/values.yaml"}),
        (Form.RELEASE, "apps", FILES),
        (Form.FOLDER, "web", FILES),
    ],
)
def test_the_declaring_file_is_left_out_unless_it_is_applied(
    form: Form, path: str, files: set[str], tmp_path: Path
) -> None:
    application: JsonObject = {"spec": {"source": {"path": path}}}
    side = of_folder(str(tmp_path))
    reason = Reason("Application argocd/web", side.label("apps/all.yaml"), 1)
    applied = Applied("argocd", tool_object=application, declared_by=WEB, reason=reason)

    unit = Unit("Application/argocd/web", form, FILES, applied)

    assert differing_files(side, unit, FILES) == files
    assert differing_files(side, unit, {"web/values.yaml", "other.yaml"}) == {"web/values.yaml"}
