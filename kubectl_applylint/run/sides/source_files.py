"""The files that a source of an Application names: value files of its chart, and files whose content is a parameter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.run.sides.chart_folders import ChartError
from kubectl_applylint.run.sides.side import RENDER_ADVICE, Side
from kubectl_applylint.tools.argocd.helm_options import ArgoHelmOptions, file_setting, with_variables
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.reading import matching

_GLOB: Final = regex(r"[*?\[]")
_CORRECT: Final = "correct it in helm of the Application"
_CREATE: Final = "correct it in helm of the Application, or create the file"


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of a source, and those of the sources that it may refer to."""

    side: Side
    """The repository or the chart of the source."""
    folder: str
    """The path of the source in it."""
    referenced: Callable[[str], Side | None] = field(repr=False)
    """Returns the repository of the source with a ``ref``, ``None`` if no source has it; may raise ``ChartError``."""
    variables: Mapping[str, str] = field(repr=False)
    is_one_of_several: bool = False
    """Whether the Application lists ``sources``: then ``$NAME/`` is a ref, else a variable."""

    def value_texts(self, options: ArgoHelmOptions) -> Iterator[bytes]:
        """Return the contents of the value files, later ones overriding earlier ones; each file counts once.

        A pattern gives the files that no other entry names. Raises ``ChartError`` for files that do not exist.
        """
        places = [(name, *self._place(name, f"its values file {name}")) for name in options.value_files]
        named = {(id(side), path) for _, side, path in places if not _GLOB.search(path)}
        found: dict[tuple[int, str], bytes] = {}
        for name, side, path in places:
            paths = _sorted_matches(path, side) if _GLOB.search(path) else [path]
            texts = side.contents([one for one in paths if one in side.paths])
            if not texts and not options.ignores_missing_files:
                raise ChartError(f"its values file {name} does not exist", advice=_CREATE)
            chosen = [one for one in paths if one in texts and (one == path or (id(side), one) not in named)]
            for one in chosen:
                found.setdefault((id(side), one), texts[one])
        return iter(found.values())

    def file_settings(self, options: ArgoHelmOptions) -> Iterator[str]:
        """Yield the arguments for the parameters whose values are files; raise ``ChartError`` for a missing one."""
        for name, file in options.files:
            what = f"the file {file} of its parameter {name}"
            side, path = self._place(file, what)
            text = side.contents([path] if path in side.paths else []).get(path)
            if text is None:
                raise ChartError(f"{what} does not exist", advice=_CREATE)
            yield file_setting(name, text.decode("utf-8", "replace"))

    def _place(self, name: str, what: str) -> tuple[Side, str]:
        """Return the files and the path in them that a name refers to; ``what`` names it in messages."""
        if "://" in name:
            raise ChartError(f"{what} is not downloaded", advice=RENDER_ADVICE)
        first, _, rest = name.partition("/")
        side = self.referenced(first[1:]) if first.startswith("$") else None
        if side is None and first.startswith("$") and self.is_one_of_several:
            raise ChartError(f"{what} is in no source: none has the ref {first[1:]}", advice=_CORRECT)
        text = with_variables(name if side is None else f"/{rest}", self.variables)
        path = resolve_reference("" if text.startswith("/") else self.folder, text.lstrip("/"))
        if not path:
            raise ChartError(f"{what} is outside of its source", advice=_CORRECT)
        return side or self.side, path


def _sorted_matches(pattern: str, side: Side) -> Sequence[str]:
    """Return the files that match a pattern, those of a folder before those of its subfolders."""
    return sorted(matching(pattern, side.paths), key=_files_first)


def _files_first(path: str) -> tuple[tuple[bool, str], ...]:
    *folders, name = path.split("/")
    return (*((True, one) for one in folders), (False, name))
