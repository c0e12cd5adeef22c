from kubectl_applylint.cli.parsing.names import COMPLETE, PLUGIN


def test_the_plugin_is_named_as_kubectl_runs_it() -> None:
    assert (PLUGIN, COMPLETE) == ("kubectl applylint", "__complete")
