"""The options of Jsonnet in ``spec.source.directory``: arguments, external variables and folders of libraries."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject, mapping, objects_at, text_at, texts_at
from kubectl_applylint.tools.argocd.helm_options import with_variables


@dataclass(frozen=True, slots=True)
class ArgoJsonnetOptions:
    """The options of the files in Jsonnet of one source."""

    arguments: tuple[str, ...] = field(default=(), repr=False)
    """Flags of ``jsonnet``."""
    codes: tuple[str, ...] = field(default=(), repr=False)
    """The values among the arguments that are evaluated."""
    libraries: tuple[str, ...] = ()
    """Folders of the repository, as they are written."""


def jsonnet_options(directory: JsonObject, variables: Mapping[str, str]) -> ArgoJsonnetOptions:
    """Return the options of a ``directory``; ``variables`` are those of the build environment."""
    options = mapping(directory.get("jsonnet"))
    settings = [*_settings(options, "tlas", "tla", variables), *_settings(options, "extVars", "ext", variables)]
    return ArgoJsonnetOptions(
        tuple(text for flag, name, value in settings for text in (flag, f"{name}={value}")),
        tuple(value for flag, _, value in settings if flag.endswith("code")),
        texts_at(options, "libs"),
    )


def _settings(
    options: JsonObject, name: str, flag: str, variables: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield flag, name and value of each entry of a list."""
    for one in objects_at(options, name):
        kind = "code" if one.get("code") is True else "str"
        yield f"--{flag}-{kind}", text_at(one, "name"), with_variables(text_at(one, "value"), variables)
