"""Renders with the repository server of Argo CD, the program of ``tests/appliers_go/argocd_repository``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.flux_build_program import answers
from tests.run.running import write

NAME = "argocd_repository"
HERE = "https://git.example.com/shop/deploy"
"""The URL of the repository with the files of a question."""


def argocd_repository_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)


def rendered_sources(program: Path, questions: Iterable[JsonObject]) -> list[JsonObject]:
    """Return what the program renders of each question.

    A question has an ``application``, the ``files`` of the repository, the files of ``others`` by URL or by URL, ``#``
    and the name of a chart, ``kubeVersion`` and ``apiVersions``.
    """
    with TemporaryDirectory() as folder:
        asked = [_with_folders(question, Path(folder, str(number))) for number, question in enumerate(questions)]
        return answers(program, asked)


def _with_folders(question: JsonObject, folder: Path) -> JsonObject:
    """Return a question for the program, with its files in folders."""
    every = {HERE: question["files"], **question["others"]}
    folders = {}
    for number, (url, files) in enumerate(every.items()):
        write(folder / str(number), files)
        folders[url] = str(folder / str(number))
    rest = {key: value for key, value in question.items() if key not in ("files", "others")}
    return {**rest, "folders": folders}
