"""Random ApplicationSets of Argo CD, with a repository and clusters that their generators find."""

import base64
import json
from collections.abc import Iterator, Sequence
from random import Random

from kubectl_applylint.core.values import Json, JsonObject

HERE = "https://git.example.com/shop/deploy"
FILES = {
    "apps/web/app.yaml": "name: web\nport: 80\nnested: {a: b, deep: {c: 1.5}}\nflag: true\nlist: [1, two]\n",
    "apps/api/app.yaml": "name: api\nport: 8080\nnested: {a: c}\nflag: false\nnone: null\n",
    "apps/api/sub/cm.yaml": "a: b\n",
    "apps/Big_One/app.yaml": "name: Big\nnested: {a: ''}\nempty: {}\n",
    "apps/.hidden/app.yaml": "name: hidden\n",
    "envs/prod/config.json": '{"env": {"name": "prod", "replicas": 3}, "cluster.address": "x", "tags": ["a"]}',
    "envs/dev/config.json": '[{"env": {"name": "dev"}}, {"env": {"name": "dev2", "replicas": 1}}]',
    "envs/dev/more/config.json": '{"env": {"name": "more", "on": true}}',
    "top.yaml": "env: top\n",
}
_FOLDERS = ("apps/*", "envs/*", "apps/**", "*", "apps/api/*", "envs/**/*", "apps/w*", "apps/{web,api}", "apps/[ab]*")
_CONFIGS = ("envs/*/config.json", "envs/**/config.json", "**/config.json")
_PATTERNS = (*_CONFIGS, "apps/*/app.yaml", "top.yaml", "**/app.yaml")
_EXCLUDED = ("apps/api", "apps/api/*", "envs/*", "apps/B*")
_FUNCTIONS = ("", "", "", " | upper", " | quote", ' | default "d"', " | trunc 3", ' | replace "a" "b"')
_CALLS = (
    "slugify {0}",
    "slugify 6 {0}",
    "slugify 5 false {0}",
    'regexMatch "^[a-c]" {0}',
    'regexFind "[a-z]+" {0}',
    'regexReplaceAll "[^a-z]+" {0} "-"',
    'regexReplaceAll "([a-z])([a-z])" {0} "${{2}}$1"',
    'regexReplaceAllLiteral "e|o" {0} "$1"',
    'regexSplit "[-/_]" {0} -1 | join "."',
    'regexFindAll "[a-z]" {0} 2 | toJson',
    'set (dict "a" {0}) "b" {0} | toJson',
    "substr 1 3 {0}",
    "repeat 2 {0} | trunc 5",
    "title {0} | nospace",
    'splitList "/" {0} | last | base',
    "dir {0}",
    "ext {0}",
    'list {0} "b" "" | compact | sortAlpha | join ","',
    'ternary "yes" "no" (hasPrefix "a" {0})',
    "sha1sum {0} | substr 0 7",
    "add (len {0}) 2 | mul 3",
    "seq 1 (len {0})",
    'pick (dict "a" {0} "c" "d") "a" | toJson',
    'mergeOverwrite (dict "a" "b") (dict "a" "c" "d" "e") | toJson',
    "{0} | kindOf",
    "deepCopy {0}",
    "list 1 2 {0} | reverse | toJson",
    "randAlpha 3 | trunc 0 | cat {0}",
)
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_SELECTED = ("name", "env", "path.basename", "nested.a", "metadata.labels.env", "env.name", "values.v")
_PATH = ("path", "path.basename", "path.basenameNormalized", "path[0]")


def _secret(name: str, **labels: str) -> JsonObject:
    data = {"name": name, "server": "https://kubernetes.default.svc", "config": "{}"}
    labels = {"argocd.argoproj.io/secret-type": "cluster", **labels}
    encoded = {key: base64.b64encode(text.encode()).decode() for key, text in data.items()}
    metadata = {"name": f"c-{name}", "namespace": "argocd", "labels": labels}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


CLUSTERS = (_secret("prod", env="prod", tier="a"), _secret("Dev_1", env="dev"), _secret("stage", env="stage", tier="b"))
"""The Secrets of the clusters; the URL is that of Argo CD's own one, as others are not read from a repository."""

Found = tuple[JsonObject, Sequence[str]]
"""A generator, and names of its parameters."""


def random_sets(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield sets."""
    for number in range(count):
        yield _Drawn(Random(f"{seed} {number}")).application_set()


class _Drawn:
    """Draws one set."""

    def __init__(self, random: Random) -> None:
        self.random, self.is_go = random, random.random() < 0.5

    def _is(self, share: float) -> bool:
        return self.random.random() < share

    def _action(self, names: Sequence[str]) -> str:
        name, blank = self.random.choice(names), self.random.choice(["", " "])
        if not self.is_go:
            return f"{{{{{blank}{name}{blank}}}}}"
        if name.endswith("]"):
            start, _, number = name[:-1].partition("[")
            return f"{{{{index .{start}.segments {number}}}}}"
        name = "path.path" if name == "path" else name
        if self._is(0.25):
            return f"{{{{{blank}{self.random.choice(_CALLS).format(f'.{name}')}{blank}}}}}"
        return f"{{{{{blank}.{name}{self.random.choice(_FUNCTIONS)}}}}}"

    def _values(self, names: Sequence[str]) -> JsonObject:
        action = self._action(names)
        return {"values": {"v": self.random.choice(["fixed", action, f"x-{action}"])}} if self._is(0.4) else {}

    def _selector(self) -> JsonObject:
        if self._is(0.7):
            return {}
        key, values = self.random.choice(_SELECTED), self.random.sample(["web", "prod", "dev", "api", "b", "c"], 2)
        if self._is(0.4):
            return {"selector": {"matchLabels": {key: values[0]}}}
        operator = self.random.choice(_OPERATORS)
        listed: JsonObject = {"values": values} if operator.endswith("In") else {}
        return {"selector": {"matchExpressions": [{"key": key, "operator": operator, **listed}]}}

    def _list(self) -> Found:
        elements = [self._element() for _ in range(self.random.randint(1, 3))]
        spec: dict[str, Json] = {"elements": elements}
        if self.is_go and self._is(0.15):
            spec["elementsYaml"] = json.dumps([{"name": "yaml", "env": "prod"}])
        return {"list": spec, **self._selector()}, ("name", "env", "nested.a")

    def _element(self) -> JsonObject:
        names = self.random.choice(["web", "api", "x0", "x1"]), self.random.choice(["prod", "dev"])
        found: dict[str, Json] = dict(zip(("name", "env"), names, strict=True))
        if self.is_go and self._is(0.4):
            found["nested"] = {"a": self.random.choice(["b", "c", 1, True, None])}
        if self._is(0.1):
            found["port"] = self.random.choice([80, "81", 1.5])
        return found

    def _git(self) -> Found:
        key, patterns = self.random.choice([("directories", _FOLDERS), ("files", _PATTERNS)])
        chosen: list[Json] = [{"path": one} for one in self.random.sample(patterns, self.random.randint(1, 2))]
        if self._is(0.3):
            chosen.append({"path": self.random.choice(_EXCLUDED), "exclude": True})
        names = _PATH if key == "directories" else (*_PATH, "name", "nested.a", "env.name", "path.filename")
        spec = {"repoURL": HERE, "revision": "HEAD", key: chosen, **self._values(_PATH)}
        return {"git": spec, **self._selector()}, names

    def _clusters(self) -> Found:
        labels = self.random.choice([None, None, {"env": "prod"}, {"tier": "a"}, {"env": "none"}])
        names = ("name", "nameNormalized", "server", "metadata.labels.env")
        selector = {"selector": {"matchLabels": labels}} if labels else {}
        return {"clusters": {**selector, **self._values(names)}}, names

    def _generator(self, depth: int = 0) -> Found:
        share = self.random.random() if depth < 2 else 1.0
        if share >= 0.35:
            return self.random.choice([self._list, self._git, self._git, self._clusters])()
        pair = [self._generator(depth + 1) for _ in range(2)]
        names = tuple(name for _, each in pair for name in each)
        spec: dict[str, Json] = {"generators": [one for one, _ in pair]}
        if share < 0.25:
            return {"matrix": spec, **self._selector()}, names
        spec["mergeKeys"] = self.random.choice([["name"], ["env"], ["name", "env"], ["path.basename"]])
        return {"merge": spec, **self._selector()}, names

    def application_set(self) -> JsonObject:
        """Return the set."""
        drawn = [self._generator() for _ in range(self.random.choice([1, 1, 2]))]
        names = [name for _, each in drawn for name in each]
        source: dict[str, Json] = {"repoURL": HERE, "targetRevision": "HEAD", "path": self._action(names)}
        if self._is(0.3):
            source["helm"] = {"parameters": [{"name": "p", "value": self._action(names)}]}
        destination = {"server": "https://kubernetes.default.svc", "namespace": self._action(names)}
        metadata = {"name": f"{self._action(names)}-{self._action(names)}", "labels": {"l": self._action(names)}}
        template = {"metadata": metadata, "spec": {"project": "shop", "source": source, "destination": destination}}
        spec: dict[str, Json] = {
            "generators": [one for one, _ in drawn],
            "template": template,
            "goTemplate": self.is_go,
        }
        if self.is_go and self._is(0.3):
            spec["goTemplateOptions"] = ["missingkey=error"]
        if self.is_go and self._is(0.2):
            block = '{{- if eq .name "web" }}\nspec: {source: {path: web}}\n{{- end }}\n'
            spec["templatePatch"] = f"metadata: {{annotations: {{patched: '{self._action(names)}'}}}}\n{block}"
        head = {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet"}
        return {**head, "metadata": {"name": "all", "namespace": "argocd"}, "spec": spec}
