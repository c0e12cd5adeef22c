"""Random folders with manifests, files that are none, and files of values, as repositories of Argo CD have them."""

import json
from random import Random

from kubectl_applylint.core.values import JsonObject

_BROKEN = (
    "a: [",
    "- one\n- two\n",
    "text",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x\n",
)
_SKIP = "# +argocd:skip-file-rendering"


def add_directory(random: Random, files: dict[str, str], folder: str) -> None:
    """Add manifests in YAML and JSON, at several depths, and files that are no manifests."""
    for place in (folder, f"{folder}/sub", f"{folder}/sub/deep"):
        for name in random.sample(["a.yaml", "b.yaml", "c.yml", "d.json", "e.yaml", "x*y.yaml"], random.randint(1, 4)):
            files[f"{place}/{name}"] = _text(random, f"{place}/{name}")
        if random.random() < 0.3:
            files[f"{place}/README.md"] = "no manifest"
        if random.random() < 0.1:
            files[f"{place}/values.yaml"] = "replicas: 1\nimage: {tag: a}\n"
        if random.random() < 0.02:
            files[f"{place}/broken.yaml"] = random.choice(_BROKEN)


def _text(random: Random, path: str) -> str:
    name = path.replace("/", "-").replace("*", "-").partition(".")[0]
    if path.endswith(".json"):
        return json.dumps(_object(random, name))
    texts = [json.dumps(_object(random, f"{name}-{number}"), indent=1) for number in range(random.randint(1, 3))]
    if random.random() < 0.15:
        texts.append(json.dumps({"apiVersion": "v1", "kind": "List", "items": [_object(random, f"{name}-item")]}))
    if random.random() < 0.05:
        texts.append("apiVersion: v1\nkind: ConfigMapList\nitems: null\n")
    if random.random() < 0.1:
        texts.insert(0, random.choice(["# only a comment\n", "", "null\n"]))
    if random.random() < 0.05:
        texts.insert(random.choice([0, len(texts)]), _SKIP)
    return "\n---\n".join(texts) + random.choice(["", "\n", "\n---\n"])


def _object(random: Random, name: str) -> JsonObject:
    metadata = {"name": name, **({"namespace": "own"} if random.random() < 0.3 else {})}
    match random.randint(0, 2):
        case 0:
            data = {"text": "two\nlines\n", "number": "1", "yes": "yes"}
            return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        case 1:
            return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}}
        case _:
            spec: JsonObject = {"half": 0.5, "many": 1000000, "none": None, "list": [], "map": {}}
            return {"apiVersion": "example.org/v1", "kind": "Lamp", "metadata": metadata, "spec": spec}


def add_value_files(random: Random, files: dict[str, str], folder: str) -> None:
    """Add files of values for charts."""
    for name in ("prod", "web", "shop", "deep/more"):
        files[f"{folder}/{name}.yaml"] = (
            f"a: {name}\nreplicas: {random.randint(2, 9)}\nlabels: {{from: {name.strip('/')[:4]}}}\n"
        )
