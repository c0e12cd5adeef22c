"""Helm charts of a repository: those that a change is about, as git keeps them."""

import os
from collections.abc import Collection

from kubectl_applylint.sources import helm
from kubectl_applylint.sources.committed import Reader
from kubectl_applylint.sources.git import Repository
from kubectl_applylint.sources.helm import Chart
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.sources.programs import copied, labelled


def differs(name: str, repo: Repository, paths: Collection[str]) -> bool:
    """Tell whether the chart that is named has some of ``paths`` in it or in its values, or is of no repository."""
    own = _paths(name, repo)
    return None in own or any(path == one or path.startswith(f"{one}/") or not one for one in own for path in paths)


def rendered(name: str, reader: Reader) -> Input:
    """Return what the chart that is named makes in a revision; nothing where that does not have it."""
    chart, (folder, *values) = helm.parse(name), _paths(name, reader.repo)
    start = f"{folder}/" if folder else ""
    every = reader.tree.entries
    if folder is None or not any(path.startswith(start) for path in every):
        return Input()
    texts = reader.texts([path for path in every if path.startswith(start) or path in values])
    release = os.path.basename(os.path.realpath(chart.folder))
    with copied(texts) as copy:
        # Values that no revision has, as they are kept elsewhere, are those of now.
        own = (
            file if kept is None else os.path.join(copy.folder, kept)
            for kept, file in zip(values, chart.values, strict=True)
        )
        return labelled(helm.render(Chart(os.path.join(copy.folder, folder), tuple(own), release)), copy, reader.label)


def _paths(name: str, repo: Repository) -> list[str | None]:
    """Return where a chart and its values stand in the repository, ``None`` for what stands elsewhere."""
    chart = helm.parse(name)
    return [repo.path_of(os.path.realpath(path)) for path in (chart.folder, *chart.values)]
