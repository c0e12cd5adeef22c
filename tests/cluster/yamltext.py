"""YAML text that kubectl and PyYAML read alike."""

import yaml

from kubectl_applylint.core.values import Json


def dump(value: Json) -> str:
    """Return ``value`` as YAML: keys in the order given, text of several lines as such, no anchors."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Json) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    """Quote ``y`` and ``n`` too, which kubectl takes for booleans and PyYAML does not."""
    style = "|" if "\n" in value else '"' if value.lower() in ("y", "n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)
