"""The repositories that a GitRepository includes, also through others."""

from collections.abc import Mapping
from itertools import pairwise

from kubectl_applylint.core.documents import Document
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.flux.includes import included_sources
from kubectl_applylint.units.model import IncludedSource, SourceFilter


def repository(name: str, spec: str = "", namespace: str = "apps") -> Document:
    text = f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: {name}, namespace: {namespace}}}
spec: {{url: 'https://git.example/org/{name}'{spec}}}
"""
    (found,) = read_text(text, "a.yaml").documents
    return found


def include(*entries: str) -> str:
    return f", include: [{', '.join(entries)}]"


def includes_of(spec: str, *others: Document) -> list[IncludedSource]:
    own = repository("fleet", spec)
    return [*included_sources(own, [own, *others])]


def by_name(sources: list[IncludedSource]) -> Mapping[str, IncludedSource]:
    return {one.name: one for one in sources}


def test_paths_stay_in_the_source_and_default_to_the_name() -> None:
    spec = include("{repository: {name: a}}", "{repository: {name: a}, fromPath: ../../x/./y/, toPath: /../z}")
    one, other = includes_of(spec, repository("a", ", ref: {tag: v1}, ignore: '*.md', sparseCheckout: [x]"))

    assert (one.from_path, one.to_path, other.from_path, other.to_path) == ("", "a", "x/y", "z")
    assert (one.name, one.url, one.revision) == ("GitRepository apps/a", "https://git.example/org/a", "tag v1")
    assert (one.source, one.filter) == (git_source(one.url, "v1", is_tag=True), SourceFilter("*.md", ("x",)))
    assert one.sources == (one.source,)


def test_an_included_repository_includes_others() -> None:
    inner = include("{repository: {name: b}}")
    (one,) = includes_of(include("{repository: {name: a}}"), repository("a", inner), repository("b"))

    assert [each.name for each in one.includes] == ["GitRepository apps/b"]
    assert [str(source) for source in one.sources] == [
        "https://git.example/org/a a refs/heads/master",
        "https://git.example/org/b b refs/heads/master",
    ]


def test_unknown_includes_have_a_reason() -> None:
    entries = ("none", "other", "insecure", "fleet")
    spec = include(*(f"{{repository: {{name: {name}}}}}" for name in entries))
    every = by_name(includes_of(spec, repository("other", namespace="b"), repository("insecure", ", insecure: true")))

    assert {name.rpartition("/")[2]: one.reason for name, one in every.items()} == {
        "none": "it is not in the files",
        "other": "it is not in the files",
        "insecure": "GitRepository apps/insecure sets insecure, which is not followed",
        "fleet": "it includes itself (fleet → fleet)",
    }
    assert not any(one.sources for one in every.values())


def test_includes_are_limited() -> None:
    many = includes_of(include(*["{repository: {name: a}}"] * 25), repository("a"))
    names = [f"n{number}" for number in range(9)]
    chain = [repository(name, include(f"{{repository: {{name: {after}}}}}")) for name, after in pairwise(names)]
    (deep,) = includes_of(include("{repository: {name: n0}}"), *chain)
    levels = 1
    while deep.includes:
        (deep,) = deep.includes
        levels += 1

    assert [one.reason for one in many[19:21]] == ["", "it is one of too many includes"]
    assert (levels, deep.reason) == (6, "it is one of too many includes")
