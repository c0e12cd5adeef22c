"""A placeholder in a valid object causes no error: what replaces it may be the valid value."""

import re

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.paths import leaves, render, with_values
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.write import JSON_BODY, Refused, Server, answer
from tests.server.stored import kind_of
from tests.server.validate.recorded import DISABLED, manifests

PLACEHOLDER = Unknown("a placeholder", written="${VALUE}")
IDENTITY = ("apiVersion", "kind", "metadata.name", "metadata.namespace")
READ_ELSEWHERE = regex(
    r"""spec\.(?:completions|group|hostUsers|resourceClaims\[\d\]\.name|resources\.limits\.cpu|serviceAccountName)
    |spec\.(?:type|version|versions\[0\]\.schema\..*\.(?:type|enum\[0\])|devices\.requests\[0\]\.name|ports\[0\]\.port)
    |spec\.(?:scopeSelector\.matchExpressions\[0\]|tokenRequests\[0\])\..*|.*\.serviceAccountToken\.path
    |spec\.(?:template\.spec\.)?(?:init)?[cC]ontainers\[\d\]\.(?:name|restartPolicy|.*\.(?:request|readOnly|privileged))""",
    re.VERBOSE,
)
"""Places that checks of fields in other structures read. A placeholder there may cause an error of such a field."""


def errors_of(manifest: Json) -> list[str]:
    """Return the errors of creating an object."""
    server = Server(kind_of(manifest), "1.36", disabled_admission=DISABLED)
    found = answer(Write("POST", JSON_BODY, manifest), None, server)
    return [f"{one.field}: {one.message}" for one in found.causes] if isinstance(found, Refused) else []


@pytest.mark.parametrize("name", sorted(manifests()))
def test_a_placeholder_causes_no_error(name: str) -> None:
    manifest = manifests()[name]
    values = [(path, value) for path, value in leaves(manifest) if isinstance(value, str | int | float)]
    places = [path for path, _ in values if render(path) not in IDENTITY and not READ_ELSEWHERE.fullmatch(render(path))]
    found = {render(path): errors_of(with_values(manifest, {path: PLACEHOLDER})) for path in places}

    assert {path: errors for path, errors in found.items() if errors} == {}
