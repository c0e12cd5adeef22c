"""The flags that choose the units to render."""

import argparse

from kubectl_applylint.cli.parsing.render_options import RENDERED_UNITS


def test_units_to_render_are_chosen_by_paths_and_roots() -> None:
    parser = argparse.ArgumentParser()
    for add in RENDERED_UNITS:
        add(parser)

    found = parser.parse_args(["apps", "web.yaml", "--unit", "prod/**", "--no-cache"])
    assert (found.files, found.unit, found.kustomize) == (["apps", "web.yaml"], ["prod/**"], None)
    assert (found.no_cache, found.allow_network) == (True, False)
