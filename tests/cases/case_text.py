"""The text of a rule case as JSON, parsed fast, and its duplicate keys."""

import json
from collections.abc import Iterator

import yaml

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text import config_yaml

# The loader of libyaml, if available, takes 5 ms instead of 40 for a recorded case. Text that looks like a date
# stays text, as in Kubernetes.
LOADER: type[yaml.SafeLoader] = type(
    "LOADER",
    (config_yaml.LOADER,),
    {
        "yaml_implicit_resolvers": {
            first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }
    },
)


def load(text: str, where: str) -> Json:
    """Return the one document of ``text`` as JSON; raise ``ValueError`` with ``where`` if it is invalid."""
    try:
        return json.loads(json.dumps(config_yaml.load(text, LOADER)))
    except yaml.MarkedYAMLError as error:
        place = f":{error.problem_mark.line + 1}:{error.problem_mark.column + 1}" if error.problem_mark else ""
        raise ValueError(f"{where}{place}: not readable as YAML: {error.problem}") from None
    except (TypeError, yaml.YAMLError) as error:
        raise ValueError(f"{where}: not readable as YAML: {error}") from None


def repeated_keys(text: str) -> Iterator[str]:
    """Yield the duplicate keys in the maps of ``text``.

    The loader keeps the last one, so a recorded value would silently hide a written one.
    """
    return _repeated_in(yaml.compose(text, LOADER))


def _repeated_in(node: yaml.Node | None) -> Iterator[str]:
    """Yield the duplicate keys in a node."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _repeated_in(item)
    if isinstance(node, yaml.MappingNode):
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        yield from (f"{name} is set twice" for name in sorted({n for n in names if names.count(n) > 1}))
        for _, value in node.value:
            yield from _repeated_in(value)
