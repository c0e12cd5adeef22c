"""Options of files in Jsonnet."""

from kubectl_applylint.tools.argocd.jsonnet_options import ArgoJsonnetOptions, jsonnet_options


def test_the_fields_of_jsonnet() -> None:
    jsonnet = {
        "tlas": [{"name": "a", "value": "$ARGOCD_APP_NAME"}, {"name": "b", "value": "1 + 1", "code": True}],
        "extVars": [{"name": "c", "value": "x"}],
        "libs": ["vendor"],
    }
    found = jsonnet_options({"jsonnet": jsonnet}, {"ARGOCD_APP_NAME": "web"})

    arguments = ("--tla-str", "a=web", "--tla-code", "b=1 + 1", "--ext-str", "c=x")
    assert found == ArgoJsonnetOptions(arguments, ("1 + 1",), ("vendor",))
    assert jsonnet_options({}, {}) == ArgoJsonnetOptions()
