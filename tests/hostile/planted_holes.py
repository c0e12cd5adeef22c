"""Changes with an object that no server accepts in a part of a kustomization that cannot be rendered here.

Both revisions have the part, and only what it is made of differs. A gate ends with 3, or with 1 where the object is
known, and never with 0:

    python -m tests.hostile.planted_holes --seed anything --cases 500
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from tests.hostile.planted import GATES, INVALID, Files, Planted, outcome, settings

Hole: TypeAlias = Callable[[str], tuple[Files, Files]]
"""Returns the files of a kustomization (``+``) before and after a change that plants an object in its hole."""
WEB: Final = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n"
PLUGIN: Final = "apiVersion: example.com/v1\nkind: Any\nmetadata: {name: any}\n"
FAR: Final = "https://example.com/far.yaml"


def _indent(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def remote(bad: str) -> tuple[Files, Files]:
    return {"+": f"resources: [web.yaml, '{FAR}?ref=v1']\n"}, {"+": f"resources: [web.yaml, '{FAR}?ref=v2']\n"}


def component(bad: str) -> tuple[Files, Files]:
    start = "resources: [web.yaml]\ncomponents: "
    return {"+": f"{start}['{FAR}?ref=v1']\n"}, {"+": f"{start}['{FAR}?ref=v2']\n"}


def patch_of_missing(bad: str) -> tuple[Files, Files]:
    start = f"resources: [web.yaml, '{FAR}']\npatches:\n- patch: |\n"
    return {"+": start + _indent(settings("far"))}, {"+": start + _indent(bad)}


def patch_file(bad: str) -> tuple[Files, Files]:
    text = f"resources: [web.yaml, '{FAR}']\npatches: [{{path: p.yaml, target: {{kind: ConfigMap}}}}]\n"
    return {"+": text, "p.yaml": settings("far")}, {"+": text, "p.yaml": bad}


def image(bad: str) -> tuple[Files, Files]:
    text = f"resources: [web.yaml, '{FAR}']\nimages: [{{name: far, newTag: '%s'}}]\n"
    return {"+": text % "1"}, {"+": text % "//"}


def prefix(bad: str) -> tuple[Files, Files]:
    text = f"resources: [web.yaml]\nbases: ['{FAR}']\n"
    return {"+": text}, {"+": f"{text}commonLabels: {{a: b}}\n"}


def plugin_text(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml]\ngenerators: [any.yaml]\n"
    return {"+": text, "any.yaml": PLUGIN}, {"+": text, "any.yaml": f"{PLUGIN}object: |\n{_indent(bad)}"}


def plugin_file(bad: str) -> tuple[Files, Files]:
    files = {"+": "resources: [web.yaml]\ngenerators: [any.yaml]\n", "any.yaml": f"{PLUGIN}files: [x.yaml]\n"}
    return {**files, "x.yaml": settings("a")}, {**files, "x.yaml": bad}


def transformer(bad: str) -> tuple[Files, Files]:
    text = f"resources: [web.yaml]\ntransformers:\n- |\n{_indent(PLUGIN)}"
    return {"+": text}, {"+": f"{text}    object: {bad!r}\n"}


def validator(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml, x.yaml]\nvalidators: [any.yaml]\n"
    files = {"+": text, "any.yaml": PLUGIN}
    return {**files, "x.yaml": settings("a")}, {**files, "x.yaml": settings("a").replace("a: b", "a: c")}


def chart(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml]\nhelmCharts: [{name: x, version: '%s', valuesFile: values.yaml}]\n"
    return {"+": text % "1", "values.yaml": "a: 1\n"}, {"+": text % "2", "values.yaml": "a: 1\n"}


def chart_values(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml]\nhelmCharts: [{name: x, valuesFile: values.yaml}]\n"
    return {"+": text, "values.yaml": "a: 1\n"}, {"+": text, "values.yaml": f"a: {bad!r}\n"}


def delete_part(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml, x.yaml]\n"
    return {"+": text, "x.yaml": settings("a")}, {"+": text}


def missing_patch(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml]\npatches: [{path: gone.yaml}]\nnamespace: "
    return {"+": f"{text}shop\n"}, {"+": f"{text}other\n"}


def secret(bad: str) -> tuple[Files, Files]:
    text = "resources: [web.yaml]\nsecretGenerator: [{name: %s, envs: [.env]}]\n"
    return {"+": text % "a"}, {"+": text % "Wrong_Name"}


def ksops(bad: str) -> tuple[Files, Files]:
    config = "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: a}\nfiles: [x.yaml]\n"
    files = {"+": "resources: [web.yaml]\ngenerators: [any.yaml]\n", "any.yaml": config}
    return {**files, "x.yaml": settings("a")}, {**files, "x.yaml": bad}


def ksops_secret(bad: str) -> tuple[Files, Files]:
    config = "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: a}\nsecretFrom: [{files: [x.yaml]}]\n"
    files = {"+": "resources: [web.yaml]\ngenerators: [any.yaml]\n", "any.yaml": config}
    return {**files, "x.yaml": settings("a")}, {**files, "x.yaml": bad}


HOLES: Final[tuple[Hole, ...]] = (
    remote, component, patch_of_missing, patch_file, image, prefix, plugin_text, plugin_file, transformer, validator,
    chart, chart_values, delete_part, missing_patch, secret, ksops, ksops_secret,
)  # fmt: skip


def _tree(files: Files, levels: int) -> Files:
    """Return the files of a kustomization, and of so many others that take it in one after the other."""
    folders = ["/".join(["base"] * (number + 1)) for number in range(levels + 1)]
    own = {f"{folders[-1]}/{name.replace('+', 'kustomization.yaml')}": text for name, text in files.items()}
    above = {f"{folder}/kustomization.yaml": "resources: [base]\n" for folder in folders[:-1]}
    return {**own, **above, f"{folders[-1]}/web.yaml": WEB}


def plant(seed: str, count: int) -> Iterator[Planted]:
    """Yield so many changes; the same seed gives the same ones."""
    for number in range(count):
        rng = random.Random(f"{seed}-{number}")
        hole, levels, bad = HOLES[number % len(HOLES)], rng.randrange(3), rng.choice(INVALID)
        before, after = (_tree(files, levels) for files in hole(bad))
        yield Planted(f"{number}-{hole.__name__}-{levels}", before, after, rng.choice(GATES), has_renderers=True)


def main() -> int:
    """Try changes, and print those that pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="holes")
    parser.add_argument("--cases", type=int, default=500)
    given = parser.parse_args()
    passed = 0
    for case in plant(given.seed, given.cases):
        with tempfile.TemporaryDirectory() as folder:
            code, printed = outcome(case, Path(folder) / "repo", os.environ["PATH"])
        if code not in (1, 3):
            passed += 1
            print(f"{case.name} {case.gate}: {code}\n{printed}")
    print(f"{passed} of {given.cases} changes passed")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
