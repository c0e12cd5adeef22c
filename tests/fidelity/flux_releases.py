"""Random HelmReleases of Flux with their charts and values, and what applylint renders of them."""

import json
from collections.abc import Iterator, Mapping
from random import Random

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, dig, equal, text_at
from kubectl_applylint.tools.flux.chart_sources import values_files
from kubectl_applylint.tools.flux.release_build import RenderedRelease, render_release
from kubectl_applylint.tools.flux.release_values import SourceLookup, ValuesError, release_values
from tests.fidelity.release_charts import random_chart

TEXTS = (
    *(
        "web",
        "1",
        "0",
        "-7",
        "+5",
        "007",
        "1000000",
        "12345678901",
        "1.50",
        "1e3",
        "true",
        "FALSE",
        "null",
        "",
        "a,b=2",
    ),
    *("{a,b,3}", "{}", "{a", "'12'", '"true"', "'", "a: b", "two\nlines\n", "back\\slash\\,", "x=y", "{a}b=1", "é😀"),
    "123456789012345678901234567890",
)
PATHS = (
    *("a", "image.tag", "deep.a.b", "list[0]", "list[2].name", "list[1][0]", "matrix[0][1]", "ports[0].port", "flag"),
    *(
        "dotted\\.key",
        "labels.example\\.org/team",
        "image",
        "list[x]",
        "list[-1]",
        "list[",
        "a.",
        ".a",
        "list[0]x",
        "sub.a",
    ),
    *("replicas", "global.zone", "big", "list[70000]", ".".join("x" * 3)),
)
VALUES: Mapping[str, Json] = {
    "a": "plain",
    "image": {"repository": "shop", "tag": "1.2"},
    "deep": {"a": {"b": 1, "c": [1, 2.5, "x"]}},
    "list": ["one", {"name": "two", "n": 3}, [4, 5]],
    "matrix": [[1, 2], [3]],
    "ports": [{"name": "http", "port": 8080}],
    "flag": False,
    "replicas": 3,
    "big": 20000000,
    "half": 0.5,
    "none": None,
    "text": "two\nlines\n",
    "odd": "é😀 {{ .Release.Name }}",
    "labels": {"example.org/team": "shop"},
    "global": {"zone": "eu"},
    "sub": {"a": "other", "enabled": True},
    "tags": {"extra": False},
    "hooks": True,
}


def questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield questions for the program of ``tests/appliers_go/flux_release``."""
    for number in range(count):
        yield _question(Random(f"{seed} {number}"))


def value_questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield questions about values alone."""
    for number in range(count):
        random = Random(f"{seed} values {number}")
        yield {"release": _release(random, _spec(random, wrong=0.3)), **_objects(random)}


def _question(random: Random) -> JsonObject:
    chart = random_chart(random)
    spec = _spec(random, wrong=0.01)
    more = {
        "targetNamespace": "prod",
        "releaseName": random.choice(["short", "other", "Not-Valid", "long-" * 12 + "name"]),
        "storageNamespace": "records",
        "commonMetadata": {"labels": {"common": "label", "app": "common"}, "annotations": {"common": "note"}},
        "postRenderers": [_post_renderer(random) for _ in range(random.choice([1, 1, 2]))],
        "postRenderStrategy": random.choice(["combined", "separate", "nohooks"]),
        "install": {
            "crds": random.choice(["Skip", "Create", "CreateReplace"]),
            "disableHooks": random.random() < 0.5,
            "disableSchemaValidation": random.random() < 0.5,
            "serverSideApply": random.random() < 0.5,
        },
        "upgrade": {"force": True, "crds": "CreateReplace", "serverSideApply": "enabled"},
    }
    weights = {"releaseName": 0.1}
    spec |= {key: value for key, value in more.items() if random.random() < weights.get(key, 0.35)}
    return {
        "release": _release(random, spec),
        **_objects(random),
        "chart": chart,
        "kubeVersion": random.choice(["1.30.0", "1.36.0", "1.36"]),
        "apiVersions": random.sample(
            ["monitoring.coreos.com/v1", "monitoring.coreos.com/v1/ServiceMonitor", "example.org/v1"],
            random.randint(0, 3),
        ),
    }


def _release(random: Random, spec: JsonObject) -> JsonObject:
    name = random.choice(["shop", "shop", "web", "a-name-that-is-as-long-as-it-can-be-" + "x" * 20])
    metadata = {"name": name, "namespace": "apps"}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata, "spec": spec}


def _some(random: Random, share: float) -> dict[str, Json]:
    found = {key: value for key, value in VALUES.items() if random.random() < share}
    if random.random() < 0.1:
        found |= {random.choice([*VALUES]): random.choice([None, "text", 5, {"b": {"c": 1}}, [1]])}
    return found


def _text(random: Random, share: float) -> str:
    return json.dumps(_some(random, share), ensure_ascii=False)


def _objects(random: Random) -> JsonObject:
    return {
        "configMaps": {
            "values": {
                "values.yaml": _text(random, 0.3),
                "other": "a: |\n  x\nbig: 1000000\nflag: yes\n",
            },
            "texts": {f"text{number}": text for number, text in enumerate(TEXTS)},
            "odd": {
                "list": "- a\n",
                "empty": "",
                "wrong": "a: [",
                "comment": "# nothing\n",
                "two": "a: 1\n---\na: 2\n",
            },
        },
        "secrets": {
            "hidden": {
                "values.yaml": json.dumps(_some(random, 0.15), ensure_ascii=False),
                "text": random.choice(TEXTS),
            },
        },
    }


def _spec(random: Random, wrong: float) -> dict[str, Json]:
    spec: dict[str, Json] = {"interval": "1h"}
    if random.random() < 0.8:
        spec["values"] = _some(random, 0.5)
    if random.random() < 0.75:
        spec["valuesFrom"] = [_reference(random, wrong) for _ in range(random.randint(1, 4))]
    if random.random() < 0.25:
        files = random.sample(
            ["values.yaml", "values-prod.yaml", "./ci/values.yaml", "absent.yaml"], random.randint(1, 3)
        )
        source = {"kind": "HelmRepository", "name": "charts"}
        spec["chart"] = {"spec": {"chart": "shop", "valuesFiles": files, "sourceRef": source}}
        spec["chart"]["spec"]["ignoreMissingValuesFiles"] = random.random() < 0.95
    return spec


def _reference(random: Random, wrong: float) -> JsonObject:
    if random.random() < wrong:
        name, key = random.choice(
            [("odd", "list"), ("odd", "wrong"), ("absent", "x"), ("values", "no-key"), ("odd", "two")]
        )
        return {"kind": "ConfigMap", "name": name, "valuesKey": key, "optional": random.random() < 0.5}
    choice = random.random()
    if choice < 0.3:
        return {"kind": "ConfigMap", "name": "values"}
    if choice < 0.4:
        return {"kind": "ConfigMap", "name": "values", "valuesKey": "other"}
    if choice < 0.5:
        return {"kind": "Secret", "name": "hidden"}
    if choice < 0.6:
        return {"kind": "ConfigMap", "name": "odd", "valuesKey": random.choice(["empty", "comment"])}
    if choice < 0.7:
        return {"kind": random.choice(["ConfigMap", "Secret"]), "name": "absent", "optional": True}
    paths = PATHS if random.random() < wrong else PATHS[:9]
    text = random.randrange(len(TEXTS)) if random.random() < max(wrong, 0.3) else random.choice([0, 1, 6, 7, 13, 17])
    found = {"kind": "ConfigMap", "name": "texts", "valuesKey": f"text{text}", "targetPath": random.choice(paths)}
    if random.random() < 0.15:
        found |= {"kind": "Secret", "name": "hidden", "valuesKey": "text"}
    return {**found, **({"literal": True} if random.random() < 0.3 else {})}


def _post_renderer(random: Random) -> JsonObject:
    patches = [
        {
            "patch": '[{"op":"add","path":"/metadata/annotations","value":{"patched":"yes"}}]',
            "target": {"kind": "Service"},
        },
        {
            "patch": '[{"op":"replace","path":"/spec/replicas","value":9}]',
            "target": {"kind": "Deployment", "group": "apps"},
        },
        {
            "patch": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: any\ndata:\n  by: patch\n",
            "target": {"kind": "ConfigMap"},
        },
        {
            "patch": "kind: Service\napiVersion: v1\nmetadata: {name: any}\n$patch: delete\n",
            "target": {"labelSelector": "drop=me"},
        },
        {"patch": "apiVersion: v1\nkind: Service\nmetadata:\n  name: shop-web\nspec:\n  type: NodePort\n"},
    ]
    images = [
        {"name": "shop", "newName": "registry.example.org/shop", "newTag": "7"},
        {"name": "web", "digest": "sha256:" + "0" * 64},
    ]
    chosen = [one for one in patches[:4] if random.random() < 0.4] + [
        one for one in patches[4:] if random.random() < 0.05
    ]
    found = {"patches": chosen, "images": [one for one in images if random.random() < 0.5]}
    return {"kustomize": {key: value for key, value in found.items() if value}}


def is_same_values(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint merges the recorded values, or rejects them as recorded."""
    try:
        made = release_values(question["release"], _source_of(question)).values
    except ValuesError:
        return bool(recorded["stage"] == "values")
    return bool(recorded["stage"] != "values") and equal(_plain(made), _plain(recorded["values"]))


def is_same(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint renders a release as recorded, or rejects it as recorded."""
    return not difference(question, recorded)


def difference(question: JsonObject, recorded: JsonObject) -> str:
    """Return what differs from the recorded rendering, empty for nothing."""
    found = _render(question)
    settings = found.settings
    names = (settings.name, settings.namespace, settings.storage_namespace)
    if names != (recorded["name"], recorded["namespace"], recorded["storageNamespace"]):
        return f"names: {names}"
    if found.input.problems or recorded["stage"]:
        same = bool(found.input.problems) == bool(recorded["stage"])
        return "" if same else f"{found.input.problems} instead of {recorded['error']!r}"
    if not is_same_values(question, recorded):
        return "values"
    own = [document.object for document in found.input.documents]
    number = len(found.definitions)
    for made, wanted in ((own[:number], _with_labels(found, recorded)), (own[number:], recorded["objects"] or [])):
        left, right = _sorted_objects(made), _sorted_objects(wanted)
        if not equal(left, right):
            return next(
                (f"{a} instead of {b}" for a, b in zip(left, right, strict=False) if a != b), "number of objects"
            )
    hooks = sorted(text.partition(" ")[0].rpartition("/")[2] for text in found.hooks)
    wanted_hooks = sorted(text.partition("/")[2] for text in recorded["hooks"] or [])
    return "" if hooks == wanted_hooks else f"hooks: {hooks} instead of {wanted_hooks}"


def _with_labels(found: RenderedRelease, recorded: JsonObject) -> list[JsonObject]:
    """Return the recorded definitions with the labels that the controller adds when it applies them."""
    return [found.settings.with_labels(one) for one in recorded["definitions"] or []]


def _render(question: JsonObject) -> RenderedRelease:
    release = question["release"]
    document = Document("release.yaml", 0, release, ref_of(release), InCluster())
    chart = {path: text.encode() for path, text in question["chart"].items()}
    versions = {"kube_version": question["kubeVersion"], "api_versions": question["apiVersions"]}
    named = values_files(dig(question["release"], "spec", "chart", "spec"))
    return render_release(document, chart, _source_of(question), values_files=named, **versions)


def _source_of(question: JsonObject) -> SourceLookup:
    stores = {"ConfigMap": question["configMaps"], "Secret": question["secrets"]}
    return lambda kind, _, name: stores[kind].get(name)


def _sorted_objects(objects: list[JsonObject]) -> list[Json]:
    plain = [_plain(one) for one in objects]
    return sorted(
        plain, key=lambda one: (text_at(one, "kind"), text_at(one, "metadata", "name"), json.dumps(one, sort_keys=True))
    )


def _plain(value: Json) -> Json:
    """Return a value without empty parts, with whole floats as integers, as JSON writes them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item not in (None, {}, [])}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value
