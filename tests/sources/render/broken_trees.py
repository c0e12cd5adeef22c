"""Kustomizations with a part that cannot be rendered, each with the same tree in which a working part is in its place.

The real kubectl renders the working tree; without the objects of the part, that is what the broken one must give:

    python -m tests.sources.render.broken_trees --seed anything --cases 200
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, text_at
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.kustomize import render_folder
from kubectl_applylint.sources.system.contents import missing_problem
from kubectl_applylint.sources.text.manifests import Input, all_documents

Files: TypeAlias = Mapping[str, str]
Part: TypeAlias = tuple[JsonObject, Files, JsonObject, Files]
"""Fields of a kustomization with a broken part and its files, and the same with a working part."""
_MARK: Final = "hole"
"""The label of the objects of the part."""


@dataclass(frozen=True, slots=True)
class BrokenTree:
    """A tree with a broken part, and the working one; the kustomization to render is in ``top``."""

    name: str
    broken: Files
    working: Files
    top: str


def _deployment(name: str, labels: JsonObject) -> JsonObject:
    containers: Json = [{"name": "a", "image": f"{name}:1"}]
    pod: JsonObject = {"metadata": {"labels": {"app": name}}, "spec": {"containers": containers}}
    spec: JsonObject = {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": pod}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "labels": labels}, "spec": spec}


def _settings(name: str, labels: JsonObject, kind: str = "ConfigMap") -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "labels": labels}, "data": {"a": "Yg=="}}


def _text(*objects: JsonObject) -> str:
    return "\n---\n".join(map(json.dumps, objects))


def _labelled_files() -> str:
    return _text(_deployment("far", {_MARK: "x"}), _settings("far", {_MARK: "x"}))


def _resource(broken: str) -> Part:
    return {"resources": [broken]}, {}, {"resources": ["part.yaml"]}, {"part.yaml": _labelled_files()}


def _generator(config: str) -> Part:
    return (
        {"generators": ["gen.yaml"]},
        {"gen.yaml": config},
        {"resources": ["part.yaml"]},
        {"part.yaml": _labelled_files()},
    )


def _secret() -> Part:
    options: JsonObject = {"labels": {_MARK: "x"}}
    own: JsonObject = {"secretGenerator": [{"name": "made", "envs": [".env"], "options": options}]}
    return own, {}, own, {".env": "a=b\n"}


def _chart() -> Part:
    chart: JsonObject = {"helmCharts": [{"name": "far", "repo": "https://example.com", "version": "1"}]}
    return chart, {}, {"resources": ["part.yaml"]}, {"part.yaml": _labelled_files()}


def _base() -> Part:
    inside: Files = {
        "part/kustomization.yaml": _text({"resources": ["part.yaml"]}),
        "part/part.yaml": _labelled_files(),
    }
    return {"resources": ["part"]}, {}, {"resources": ["part"]}, inside


def _component() -> Part:
    head: JsonObject = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
    inside: Files = {
        "part/kustomization.yaml": _text({**head, "resources": ["p.yaml"]}),
        "part/p.yaml": _labelled_files(),
    }
    return {"components": ["https://example.com/far?ref=v1"]}, {}, {"components": ["part"]}, inside


def _without_effect(field: str) -> Callable[[], Part]:
    entry: JsonObject = {"validators": ["gen.yaml"]} if field == "validators" else {"crds": ["gone.json"]}
    config = {"gen.yaml": "apiVersion: a.io/v1\nkind: Check\nmetadata: {name: a}\n"}
    return lambda: (entry, config, {}, {})


PARTS: Final[Mapping[str, Callable[[], Part]]] = {
    "missing file": lambda: _resource("gone.yaml"),
    "missing folder": _base,
    "URL": lambda: _resource("https://example.com/far.yaml"),
    "repository": lambda: _resource("github.com/some/where//deploy?ref=v1"),
    "outside": lambda: _resource("../../../../../../far.yaml"),
    "exec plugin": lambda: _generator("apiVersion: a.io/v1\nkind: Any\nmetadata: {name: a}\n"),
    "ksops": lambda: _generator("apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: a}\nfiles: [gone.yaml]\n"),
    "function": lambda: _generator(
        "apiVersion: v1\nkind: Fn\nmetadata: {annotations: {config.kubernetes.io/function: 'exec: {path: x}'}}\n"
    ),
    "helmCharts": _chart,
    "missing variables": _secret,
    "remote component": _component,
    "validator": _without_effect("validators"),
    "missing schema": _without_effect("crds"),
}


def _changes(rng: random.Random, level: int) -> Iterator[JsonObject]:
    """Yield fields that change objects: those of the part, and others."""
    far, web = f"web{level}", "far"
    patch = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"paused": True}}
    yield {"namespace": "shop"}
    yield {"namePrefix": f"p{level}-"}
    yield {"nameSuffix": f"-s{level}"}
    yield {"commonAnnotations": {"note": "x"}}
    yield {"labels": [{"pairs": {f"l{level}": "x"}}]}
    yield {"images": [{"name": name, "newTag": "2"} for name in rng.sample([far, web], 2)]}
    yield {"patches": [{"patch": _text({**patch, "metadata": {"name": name}})} for name in rng.sample([far, web], 2)]}
    yield {"patchesStrategicMerge": [_text({**patch, "metadata": {"name": name}}) for name in (far, web)]}
    target: JsonObject = {"kind": "Deployment"}
    yield {"patches": [{"patch": '[{"op": "replace", "path": "/spec/replicas", "value": 7}]', "target": target}]}
    yield {"replicas": [{"name": name, "count": 4} for name in (far, web)]}
    yield {"configMapGenerator": [{"name": f"made{level}", "literals": ["a=b"]}]}


def tree(rng: random.Random, name: str) -> BrokenTree:
    """Return a tree of up to three levels, with the part in one of them."""
    levels = rng.randint(1, 3)
    home = rng.randrange(levels)
    broken: dict[str, str] = {}
    working: dict[str, str] = {}
    for level in range(levels):
        folder = f"l{level}/"
        own: JsonObject = {"resources": [f"../l{level - 1}"] if level else []}
        own["resources"].append("web.yaml")
        # A prefix would hide the names that later levels use.
        hidden = set[str]() if level == levels - 1 else {"namePrefix", "nameSuffix"}
        usable = [one for one in _changes(rng, level) if not one.keys() & hidden]
        chosen = rng.sample(usable, rng.randint(0, 3)) if level >= home else []
        is_secret = name == "missing variables"
        for change in chosen:
            names_part = "far" in json.dumps(change) and (is_secret or name in ("validator", "missing schema"))
            own = own if names_part or any(field in own for field in change) else {**own, **change}
        sides: Part = PARTS[name]() if level == home else ({}, {}, {}, {})
        for files, fields, more in ((broken, sides[0], sides[1]), (working, sides[2], sides[3])):
            merged = {**own, **fields}
            merged["resources"] = [*own["resources"], *fields.get("resources", [])]
            files[f"{folder}kustomization.yaml"] = _text(merged)
            files[f"{folder}web.yaml"] = _text(_deployment(f"web{level}", {}), _settings(f"set{level}", {}))
            files.update((folder + path, text) for path, text in more.items())
    return BrokenTree(name, broken, working, f"l{levels - 1}")


def trees(seed: str, count: int) -> Iterator[BrokenTree]:
    """Yield so many trees, of each sort in turn; the same seed gives the same ones."""
    names = list(PARTS)
    for number in range(count):
        yield tree(random.Random(f"{seed}-{number}"), names[number % len(names)])


def render(one: BrokenTree) -> Input:
    """Render the broken tree."""
    texts = {path: text.encode() for path, text in one.broken.items()}
    where = Folders(texts.__contains__, texts.__getitem__)
    return render_folder(one.top, where, lambda paths: {path: texts[path] for path in paths}, str, missing_problem)


def expected_objects(one: BrokenTree, kubectl: str) -> list[JsonObject]:
    """Return the objects that kubectl renders from the working tree, without those of the part."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in one.working.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        command = [kubectl, "kustomize", str(Path(folder, one.top))]
        done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, (one, done.stderr.decode())
    return [each for each in map(mapping, all_documents(done.stdout)) if dig(each, "metadata", "labels", _MARK) != "x"]


def difference(one: BrokenTree, kubectl: str) -> str:
    """Return how a broken tree is rendered otherwise than it should be, empty if it is not."""
    found = render(one)
    if found.problems or not found.holes:
        return f"problems {[each.message for each in found.problems]}, holes {found.holes}"
    was, now = _by_name(expected_objects(one, kubectl)), _by_name([each.object for each in found.documents])
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return "\n".join(f"{name}: {was.get(name)} != {now.get(name)}" for name in names)


def _by_name(objects: list[JsonObject]) -> Mapping[str, Json]:
    return {f"{text_at(one, 'kind')}/{text_at(one, 'metadata', 'name')}": one for one in objects}


def main() -> int:
    """Render trees, and print the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="broken")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--kubectl", default="kubectl")
    given = parser.parse_args()
    os.environ.setdefault("APPLYLINT_CACHE_DIR", "")
    wrong = 0
    for number, one in enumerate(trees(given.seed, given.cases)):
        words = difference(one, given.kubectl)
        if words:
            wrong += 1
            print(f"{number} {one.name}: {words}\n{json.dumps(one.broken, indent=1)}")
    print(f"{wrong} of {given.cases} trees differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
