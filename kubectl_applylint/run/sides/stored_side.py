"""The files of a stored repository or chart as a side: a source of an Application that is not in the repository."""

from collections.abc import Callable, Mapping, Sequence

from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.render.kustomize import render_folder
from kubectl_applylint.sources.text.manifests import Input, join, read_text


def stored_side(name: str, files: Mapping[str, bytes]) -> Side:
    """Return the side of files in memory, which are displayed below a name; symlinks are not among them."""
    label: Callable[[str], str] = f"{name}/{{}}".format

    def read(paths: Sequence[str]) -> Input:
        return join(read_text(files[path], label(path)) for path in paths)

    side = Side(
        name,
        frozenset(files),
        content=lambda path: files.get(path, b""),
        contents=lambda paths: {path: files[path] for path in paths if path in files},
        mentioning=lambda _: frozenset(),
        read=read,
        render=lambda folder: render_folder(folder, side.folders, side.contents, side.label, side.fault),
        label=label,
    )
    return side
