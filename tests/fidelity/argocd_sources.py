"""Random Applications of Argo CD with their sources, and what applylint renders of them."""

import json
from collections.abc import Iterator
from random import Random

from kubectl_applylint.core.values import Json, JsonObject, dig
from tests.cluster.argocd_repository_program import HERE
from tests.fidelity.argocd_files import add_directory, add_value_files
from tests.fidelity.flux_builds import add_folder, random_component
from tests.fidelity.release_charts import random_chart

CHARTS = "https://charts.example.com"
OTHER = "https://git.example.com/shop/values"
TEXTS = (
    *("plain", "$ARGOCD_APP_NAME", "${ARGOCD_APP_NAMESPACE}-x", "a,b", "{a,b}", "1", "true", "null", "1.50", ""),
    *("$ARGOCD_APP_SOURCE_PATH", "$ARGOCD_APP_PROJECT_NAME", "$$HOME", "$UNKNOWN-x", "${UNKNOWN}", "a\\,b", "a=b", "$"),
    *("$1a", "cost$", "$ARGOCD_APP_SOURCE_REPO_URL", "${ARGOCD_APP_SOURCE_TARGET_REVISION}"),
)
VALUES: dict[str, Json] = {
    "a": "web",
    "replicas": 3,
    "image": {"tag": "v2"},
    "ports": [{"containerPort": 80}],
    "deep": {"a": {"b": "other"}},
    "big": 20000000,
    "none": None,
    "odd": "é {{ .Release.Name }} $ARGOCD_APP_NAME",
    "sub": {"a": "other", "enabled": True},
    "tags": {"extra": False},
    "hooks": True,
}


def questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield questions for ``rendered_sources``."""
    for number in range(count):
        yield _question(Random(f"{seed} {number}"))


def _question(random: Random) -> JsonObject:
    files = _repository(random)
    others = {
        f"{CHARTS}#shop": _chart(random),
        OTHER: {
            "env/prod.yaml": "a: other-prod\nreplicas: 7\n",
            **{path: text for path, text in files.items() if path.startswith(("plain", "charts"))},
        },
    }
    sources = [_source(random, files) for _ in range(random.choice([1, 1, 1, 1, 2, 3]))]
    spec: dict[str, Json] = {
        "project": random.choice(["default", "shop", ""]),
        "destination": {"server": "https://kubernetes.default.svc", "namespace": random.choice(["prod", "shop"])},
    }
    if len(sources) == 1 and "$" not in json.dumps(dig(sources[0], "helm", "valueFiles"), default=str):
        spec["source"] = sources[0]
    else:
        refs = [{"repoURL": HERE, "ref": "here"}, {"repoURL": OTHER, "ref": "values", "targetRevision": "HEAD"}]
        spec["sources"] = [*sources, *refs]
    metadata = {"name": random.choice(["web", "shop"]), "namespace": "argocd"}
    application = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}
    return {
        "application": application,
        "files": files,
        "others": others,
        "kubeVersion": random.choice(["1.30", "1.36"]),
        "apiVersions": ["monitoring.coreos.com/v1"] if random.random() < 0.3 else [],
    }


def _repository(random: Random) -> dict[str, str]:
    """Return the files of a repository with kustomizations, a folder of manifests, and a chart."""
    files: dict[str, str] = {}
    for folder in ("base", "apps/prod"):
        _add_kustomization(random, files, folder)
    for name in ("one", "two"):
        files[f"components/{name}/kustomization.yaml"] = random_component(random, name)
    add_directory(random, files, "plain")
    add_value_files(random, files, "env")
    files |= {f"charts/shop/{path}": text for path, text in _chart(random).items()}
    if random.random() < 0.03:
        files["charts/shop/kustomization.yaml"] = "resources: [templates/empty.yaml]\n"
    return files


def _chart(random: Random) -> dict[str, str]:
    """Return the files of a chart whose objects all have a name."""
    return {path: text for path, text in random_chart(random).items() if "generateName" not in text}


def _add_kustomization(random: Random, files: dict[str, str], folder: str) -> None:
    """Add a folder that has a kustomization, with few exceptions."""
    add_folder(random, files, folder, depth=0)
    path = f"{folder}/kustomization.yaml"
    if path not in files and random.random() < 0.97:
        names = [one.removeprefix(f"{folder}/") for one in files if one.startswith(f"{folder}/")]
        files[path] = json.dumps({"resources": [one for one in names if "/" not in one and not one.endswith(".md")]})


def _source(random: Random, files: dict[str, str]) -> JsonObject:
    match random.choice(["directory", "kustomize", "kustomize", "helm", "helm", "chart"]):
        case "directory":
            paths = ["plain", "plain/sub", "./plain/", "none" if random.random() < 0.1 else "plain/sub/deep"]
            source = {"path": random.choice(paths), **_directory(random)}
        case "kustomize":
            folder = random.choice(["apps/prod", "apps/prod", "base"])
            source = {"path": folder, **_kustomize(random, files, folder)}
        case "helm":
            source = {"path": "charts/shop", **_helm(random, "../../")}
        case _:
            return {"repoURL": CHARTS, "chart": "shop", "targetRevision": "1.2.3", **_helm(random, "")}
    if random.random() < 0.15 and "kustomize" not in source and source["path"].strip("./")[0] in "pc":
        return {"repoURL": OTHER, "targetRevision": random.choice(["HEAD", ""]), **source}
    if random.random() < 0.15:
        _add_overrides(random, files, source)
    return {"repoURL": HERE, "targetRevision": random.choice(["HEAD", "main", ""]), **source}


def _some(random: Random, choices: JsonObject, share: float) -> dict[str, Json]:
    return {key: value for key, value in choices.items() if random.random() < share}


def _add_overrides(random: Random, files: dict[str, str], source: JsonObject) -> None:
    """Add a file that changes the options of the source in its folder."""
    folder = source["path"].strip("./")
    if folder.startswith("charts"):
        made = _helm(random, "../../")
    else:
        made = _directory(random) if folder.startswith("plain") else _kustomize(random, files, folder)
    made = made if random.random() < 0.95 else _directory(random)
    name = random.choice([".argocd-source.yaml", ".argocd-source-web.yaml", ".argocd-source-other.yaml"])
    files[f"{folder}/{name}"] = json.dumps({**made, "path": "ignored"})


def _directory(random: Random) -> JsonObject:
    globs = ["*.yaml", "{a,b}*", "sub/*", "*/c.yaml", "**", "?.yaml", "[ab].yaml", "{*.yml,*.json}", "[!a].*", "x\\*y"]
    choices: dict[str, Json] = {
        "recurse": random.random() < 0.8,
        "include": random.choice(globs),
        "exclude": random.choice(globs),
    }
    found = _some(random, choices, random.choice([0, 0.4]))
    return {"directory": found} if found or random.random() < 0.2 else {}


def _kustomize(random: Random, files: dict[str, str], folder: str) -> JsonObject:
    patch = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "any"}, "data": {"by": "patch"}}
    up = "../" if folder == "base" else "../../"
    images = [
        "shop=registry.example.org/shop:3",
        "shop:4",
        "shop@sha256:" + "0" * 64,
        "shop=other",
        "nginx:1.$UNKNOWN9",
    ]
    images += [
        "shop:$ARGOCD_APP_NAME",
        "shop=*:7",
        "shop=new:*",
        "shop=localhost:5000/shop",
        "shop=a/b:1@sha256:" + "1" * 64,
    ]
    labels = {"team": random.choice(TEXTS[:3]), "more": "label"}
    choices: dict[str, Json] = {
        "namePrefix": "pre-",
        "nameSuffix": "-post",
        "namespace": random.choice(["target", "prod"]),
        "images": random.sample(images, random.randint(1, 3)),
        "replicas": [
            {"name": name, "count": random.choice(["5", 0, 4])} for name in _deployments(random, files, folder)
        ],
        "commonLabels": _some(random, labels, 0.7) or labels,
        "commonAnnotations": {"note": random.choice(TEXTS), "other": random.choice(TEXTS)},
        "patches": [
            {"patch": json.dumps(patch), "target": {"kind": "ConfigMap"}},
            {"patch": '[{"op":"add","path":"/spec/extra","value":"x"}]', "target": {"kind": "Deployment|Release"}},
        ],
        "components": [f"{up}components/{one}" for one in random.choice([["one"], ["two", "one"], ["two", "none"]])],
        "ignoreMissingComponents": random.random() < 0.9,
        "forceCommonLabels": random.random() < 0.8,
        "forceCommonAnnotations": random.random() < 0.8,
        "commonAnnotationsEnvsubst": random.random() < 0.7,
        "labelWithoutSelector": random.random() < 0.8,
    }
    found = _some(random, choices, random.choice([0, 0.3, 0.3]))
    if "labelWithoutSelector" in found or random.random() < 0.05:
        found |= _some(random, {"labelIncludeTemplates": True}, 0.5)
    return {"kustomize": found} if found or random.random() < 0.1 else {}


def _deployments(random: Random, files: dict[str, str], folder: str) -> list[str]:
    """Return the name of a Deployment in a folder with a kustomization, or a name that no object has."""
    texts = [
        text
        for path, text in files.items()
        if path.startswith(f"{folder}/") and path.count("/") == folder.count("/") + 1
    ]
    found = [one["metadata"]["name"] for text in texts for one in _objects(text) if one["kind"] == "Deployment"]
    return random.sample(found, 1) if found else ["none"] if random.random() < 0.05 else []


def _objects(text: str) -> list[JsonObject]:
    return [one for each in text.split("\n---\n") if "kind" in (one := json.loads(each))] if text[0] == "{" else []


def _helm(random: Random, up: str) -> JsonObject:
    names = ["a", "image.tag", "ports[0].name", "new.key", "replicas", "list", "deep.a"]
    parameters = [
        {"name": name, "value": random.choice(TEXTS), "forceString": "labels" in name or random.random() < 0.4}
        for name in random.sample(names, random.randint(1, 3))
    ]
    choices: dict[str, Json] = {
        "valueFiles": _value_files(random, up),
        "ignoreMissingValueFiles": random.random() < 0.9,
        "values": random.choice([json.dumps(_some(random, VALUES, 0.4)), "a: text\n# only\n", "", "{}"]),
        "valuesObject": _some(random, VALUES, 0.4),
        "parameters": parameters,
        "fileParameters": [{"name": "text", "path": random.choice(["files/some.txt", f"{up}values.yaml"])}],
        "releaseName": random.choice(["release", "other-name"]),
        "skipCrds": random.random() < 0.8,
        "skipTests": random.random() < 0.8,
        "skipSchemaValidation": random.random() < 0.8,
        "namespace": "elsewhere",
        "kubeVersion": random.choice(["1.31.0", "v1.33", "1.35.2-eks-1"]),
        "apiVersions": random.sample(["monitoring.coreos.com/v1/ServiceMonitor", "example.org/v1"], 1),
        "passCredentials": random.random() < 0.5,
        "version": "v3",
    }
    found = _some(random, choices, random.choice([0.05, 0.25, 0.25]))
    return {"helm": found} if found or random.random() < 0.1 else {}


def _value_files(random: Random, up: str) -> list[Json]:
    names = ["values-prod.yaml", "ci/values.yaml", "./ci/../values-prod.yaml", "ci/*.yaml", "/values-prod.yaml"]
    if up:
        names += [f"{up}env/prod.yaml", "/env/prod.yaml", "/env/*.yaml", f"{up}env/**/*.yaml", "/env/w[ae]b.yaml"]
        names += ["/env/$ARGOCD_APP_NAME.yaml", "/env/prod.yaml"]
    names += ["$here/env/prod.yaml", "$values/env/prod.yaml", "$here/env/*.yaml", "$here/env/$ARGOCD_APP_NAME.yaml"]
    wrong = ["none.yaml", "$none/env/prod.yaml", "/env/none-*.yaml", "/env/{prod,web}.yaml", "../../../x.yaml"]
    names += wrong if random.random() < 0.1 else []
    return [*random.sample(names, random.choice([1, 1, 2, 3]))]
