"""Random sources and Kustomizations of Flux, and what applylint builds of them."""

import json
from collections.abc import Iterator
from random import Random

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.build import Built, SourceTree, build
from kubectl_applylint.tools.flux.source_files import packed_files
from kubectl_applylint.tools.flux.substitution import Source, SubstituteReference, variables_of

VARIABLES = {
    "APP": "web",
    "PORT": "8080",
    "FLAG": "true",
    "WORDS": "two words",
    "EMPTY": "",
    "PATH_": "/srv/app/data.tar.gz",
    "HOST": "Shop.Example.ORG",
    "PAIR": "a: b",
    "MARK": "#",
    "LIST": "[1, two]",
    "QUOTED": '"quoted"',
    "LONG": "long " * 30,
    "BREAKS": "one\ntwo\n",
    "DATE": "2026-01-02",
    "NUMBER": "1e3",
    "OCTAL": "0755",
    "NIL": "null",
    "_x1": "under",
}
EXPRESSIONS = (
    *("${APP}", "${PORT}", "${FLAG}", "${WORDS}", "${EMPTY}", "${PAIR}", "${MARK}", "${LIST}", "${QUOTED}", "${LONG}"),
    *(
        "${BREAKS}",
        "${DATE}",
        "${NUMBER}",
        "${OCTAL}",
        "${NIL}",
        "${_x1}",
        "$${APP}",
        "$$APP",
        "$APP",
        "$(APP)",
        "{APP}",
    ),
    *("${NOT_SET:-default}", "${NOT_SET:=other words}", "${EMPTY:-x}", "${APP:-x}", "${NOT_SET=y}", "${NOT_SET:+z}"),
    *(
        "${APP:+z}",
        "${NOT_SET:-${APP}-${PORT:-1}}",
        "${NOT_SET:-}",
        "${#HOST}",
        "${HOST:0:4}",
        "${HOST:5}",
        "${HOST: -3}",
    ),
    *(
        "${HOST:-3}",
        "${HOST/Example/example}",
        "${PATH_//a/A}",
        "${PATH_/#\\/srv/}",
        "${PATH_/%gz/bz2}",
        "${PATH_##*/}",
    ),
    *("${PATH_#*/}", "${PATH_%%.*}", "${PATH_%.*}", "${HOST,,}", "${HOST^^}", "${HOST,}", "${APP^}", "${HOST%%[A-E]*}"),
    *(
        "${APP}-${PORT}",
        "pre ${APP} post",
        "a: ${APP}",
        "${NOT_SET:-a long default with many words that may be folded}",
    ),
)
WRONG = ("${NOT_SET}", "${APP", "${}", "${APP-x}", "${1APP?}", "${NOT_SET^^}", "${APP:}")


def questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield questions for the program of ``tests/appliers_go/flux_build``."""
    for number in range(count):
        yield _question(Random(f"{seed} {number}"))


def _question(random: Random) -> JsonObject:
    files: dict[str, str] = {}
    add_folder(random, files, "base", depth=0)
    add_folder(random, files, "apps/prod", depth=0)
    for name in ("one", "two"):
        files[f"components/{name}/kustomization.yaml"] = random_component(random, name)
    chosen = (
        "apps/prod"
        if random.random() < 0.85
        else random.choice(["base", "", "./apps", "/apps/prod/", "../apps", "nothing"])
    )
    return {
        "files": files,
        "kustomization": _kustomization(random, chosen),
        "configMaps": {"vars": _some(random, VARIABLES), "more": _some(random, VARIABLES)},
        "secrets": {"hidden": _some(random, VARIABLES)},
        "strict": random.random() < 0.7,
    }


def _some(random: Random, values: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if random.random() < 0.4}


def _text(random: Random, plain: str) -> str:
    chance = random.random()
    if chance < 0.55:
        return plain
    return random.choice(WRONG) if chance > 0.997 else random.choice(EXPRESSIONS)


def random_component(random: Random, name: str) -> str:
    """Return the kustomization file of a component."""
    kind = {"kind": "Component", "apiVersion": "kustomize.config.k8s.io/v1alpha1"}
    return json.dumps({**kind, **_settings(random, name)})


def add_folder(random: Random, files: dict[str, str], folder: str, depth: int) -> None:
    """Add manifests, with or without a kustomization, and folders below."""
    prefix = folder.replace("/", "-")
    names = []
    for number in range(random.randint(1, 3)):
        name = f"{random.choice(['a', 'b', 'z'])}{number}{random.choice(['.yaml', '.yaml', '.yml'])}"
        names.append(name)
        made = [_object(random, f"{prefix}-{number}-{place}") for place in range(random.randint(1, 2))]
        files[f"{folder}/{name}"] = "\n---\n".join(json.dumps(one, indent=1) for one in made)
    if random.random() < 0.2:
        files[f"{folder}/README.md"] = "no manifest"
    inner = []
    if depth < 2 and random.random() < 0.5:
        inner = [f"sub{depth}"]
        add_folder(random, files, f"{folder}/{inner[0]}", depth + 1)
    if random.random() < (0.6 if depth else 0.5):
        has_own = [name for name in inner if f"{folder}/{name}/kustomization.yaml" in files]
        content = {"resources": [*names, *has_own], **_settings(random, prefix)}
        if random.random() < 0.15:
            content["resources"] = []
        if folder == "apps/prod" and random.random() < 0.5 and "base/kustomization.yaml" in files:
            content["resources"].append("../../base")
        if folder == "apps/prod" and random.random() < 0.1:
            content["notAField"] = "x"
        files[f"{folder}/kustomization.yaml"] = json.dumps(content, indent=1)


def _settings(random: Random, name: str) -> dict[str, Json]:
    """Return fields of a kustomization."""
    choices: dict[str, Json] = {
        "configMapGenerator": [{"name": f"{name}-made", "literals": [f"key={_text(random, 'value')}"]}],
        "images": [{"name": "shop", "newTag": "2"}],
        "labels": [{"pairs": {"team": _text(random, "shop")}}],
        "commonAnnotations": {"note": "plain"},
        "namePrefix": "x-",
        "patches": [
            {"target": {"kind": "ConfigMap"}, "patch": '[{"op": "add", "path": "/data/patched", "value": "${APP}"}]'}
        ],
        "buildMetadata": ["originAnnotations"],
    }
    return {key: value for key, value in choices.items() if random.random() < 0.2}


def _object(random: Random, name: str) -> JsonObject:
    labels: dict[str, Json] = {"app": _text(random, "shop")}
    if random.random() < 0.1:
        labels["kustomize.toolkit.fluxcd.io/substitute"] = random.choice(["disabled", "enabled"])
    if random.random() < 0.03:
        labels["active"] = random.choice([True, 1, 1.5, None])
    metadata = {"name": name, **({"namespace": "shop"} if random.random() < 0.5 else {}), "labels": labels}
    match random.randint(0, 3):
        case 0:
            data = {f"key{place}": _text(random, "line\n  ${APP} text\n") for place in range(3)}
            return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        case 1:
            port = {"name": "http", "port": random.choice([80, "${PORT}", "${PORT:-9090}"])}
            return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [port]}}
        case 2:
            env = [{"name": "A", "value": _text(random, "a")}, {"name": "B", "value": _text(random, "${HOST,,}")}]
            container = {"name": "main", "image": random.choice(["shop:1", "shop:${PORT}"]), "env": env}
            spec = {"replicas": random.choice([1, "${NOT_SET:-3}"]), "template": {"spec": {"containers": [container]}}}
            return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
        case _:
            values = {
                "host": _text(random, "h"),
                "deep": [{"${APP}": _text(random, "v")}],
                "many": 1000000,
                "half": 0.5,
            }
            return {"apiVersion": "example.org/v1", "kind": "Release", "metadata": metadata, "spec": {"values": values}}


def _kustomization(random: Random, path: str) -> JsonObject:
    patch = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "any"},
        "data": {"by": _text(random, "patch")},
    }
    choices: dict[str, Json] = {
        "targetNamespace": "target",
        "namePrefix": "pre-",
        "nameSuffix": "-post",
        "patches": [
            {"patch": json.dumps(patch), "target": {"kind": "ConfigMap", "labelSelector": "app=shop"}},
            {"patch": '[{"op":"replace","path":"/spec/replicas","value":5}]', "target": {"kind": "Deployment"}},
        ],
        "images": [
            {"name": "shop", "newName": "registry.example.org/shop"},
            random.choice([{"name": "shop", "digest": "sha256:" + "0" * 64}, {"name": "shop", "newTag": "${APP}"}]),
        ],
        "components": random.choice([["../../components/one"], ["../../components/two", "../../components/none"]]),
        "commonMetadata": {"labels": {"common": "label"}, "annotations": {"common": "note"}},
        "buildMetadata": ["originAnnotations"],
    }
    spec = {key: value for key, value in choices.items() if random.random() < 0.3}
    spec |= {"path": path, "prune": True}
    if "components" in spec:
        spec["ignoreMissingComponents"] = random.random() < 0.9
    if random.random() < 0.85:
        spec["postBuild"] = _post_build(random)
    metadata = {"name": "shop", "namespace": "flux-system"}
    return {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": metadata, "spec": spec}


def _post_build(random: Random) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if random.random() < 0.9:
        found["substitute"] = dict(VARIABLES) if random.random() < 0.85 else _some(random, VARIABLES)
        if random.random() < 0.02:
            found["substitute"]["not-a-name"] = "x"
    sources: list[Json] = [{"kind": "ConfigMap", "name": "vars"}, {"kind": "Secret", "name": "hidden"}]
    sources += [{"kind": "ConfigMap", "name": "more"}, {"kind": "ConfigMap", "name": "absent", "optional": True}]
    if random.random() < 0.03:
        sources.append({"kind": "Secret", "name": "absent"})
    if random.random() < 0.5:
        found["substituteFrom"] = random.sample(sources, random.randint(1, len(sources)))
    if random.random() < 0.3:
        found["substituteStrategy"] = random.choice(["Always", "WithVariables"])
    return found


def answer(question: JsonObject) -> Built:
    """Return what applylint builds of a question."""
    texts = {path: text.encode() for path, text in question["files"].items()}
    tree = SourceTree(
        packed_files(texts.keys(), texts.__getitem__),
        lambda paths: {path: texts[path] for path in paths if path in texts},
    )
    variables = variables_of(question["kustomization"], lambda reference: _source(question, reference))
    declared = Document("shop.yaml", 0, question["kustomization"], ref_of(question["kustomization"]), InCluster())
    return build(declared, tree, variables, is_strict=question["strict"])


def _source(question: JsonObject, reference: SubstituteReference) -> Source:
    shelf = question["configMaps" if reference.kind == "ConfigMap" else "secrets"]
    found: Source = shelf.get(reference.name)
    return found


def is_same(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint builds the same objects, or fails as well, or builds the rest without a missing part."""
    found = answer(question)
    if found.input.problems or found.input.holes:
        return bool(recorded["error"])
    objects = [document.object for document in found.input.documents]
    return not recorded["error"] and _sorted_texts(objects) == _sorted_texts(recorded["objects"] or [])


def _sorted_texts(objects: list[Json]) -> list[str]:
    return sorted(json.dumps(_normal(one), sort_keys=True) for one in objects)


def _normal(value: Json) -> Json:
    """Return a value as JSON readers see it: an integer may be written as a float."""
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(_normal, value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value
