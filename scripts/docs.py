#!/usr/bin/env python3
"""Build the site of the documentation: ``scripts/docs.py [FOLDER] [--address URL]``, by default ``build/docs``.

The pages are those of ``docs``, the README as the first one, and what is generated: a page for each rule with its
stories, the options of each command, and the schema of the configuration, which names the address of the site.
MkDocs makes HTML of them, which loads nothing from elsewhere.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import yaml

from kubectl_applylint import __version__
from kubectl_applylint.cli.parsing.options import COMMANDS
from kubectl_applylint.config.schema import config_schema
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.report.words import rule_words
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.examples import Example, ExampleStep, examples_of
from kubectl_applylint.rulebook.families import Family

ROOT = Path(__file__).parents[1]
GROUPS = {
    "Start": (
        ("Installation", "install.md"),
        ("First ten minutes", "first-steps.md"),
        ("Flux in ten minutes", "flux-start.md"),
        ("Argo CD in ten minutes", "argocd-start.md"),
        ("Commands", "commands.md"),
        ("What it compares with", "against.md"),
    ),
    "Gates": (
        ("What a reviewer sees", "reviewers.md"),
        ("Hooks", "hooks.md"),
        ("CI and scripts", "ci.md"),
        ("Comments", "comments.md"),
        ("HTML report", "html.md"),
        ("Fixing files", "fix.md"),
        ("Editors", "editors.md"),
        ("Rolling it out", "rollout.md"),
    ),
    "Tools": (
        ("Units", "units.md"),
        ("Rendering", "rendering.md"),
        ("Charts and remote sources", "charts.md"),
        ("Helm", "helm.md"),
        ("Flux", "flux.md"),
        ("Coming from flux-local and flate", "from-flux-local.md"),
        ("Argo CD", "argocd.md"),
        ("kapp", "kapp.md"),
        ("Metacontroller", "metacontroller.md"),
    ),
    "Reference": (
        ("Configuration", "configuration.md"),
        ("Options", "options.md"),
        ("Compatibility", "compatibility.md"),
        ("Limits", "limits.md"),
        ("Permissions", "rights.md"),
    ),
    "Background": (
        ("Trust", "trust.md"),
        ("Secrets", "secrets.md"),
        ("Comparison", "comparison.md"),
        ("Pitfalls", "pitfalls.md"),
        ("Issues", "issues.md"),
    ),
}
"""The pages of ``docs`` by group, with their titles."""
GENERATED = ("options.md",)
THEME = {
    "name": "material",
    "font": False,
    "features": ["content.code.copy", "navigation.sections", "navigation.top", "search.highlight"],
    "palette": [
        {"media": f"(prefers-color-scheme: {scheme})", "scheme": name, "toggle": {"icon": icon, "name": label}}
        for scheme, name, icon, label in (
            ("light", "default", "material/weather-night", "Switch to dark colors"),
            ("dark", "slate", "material/weather-sunny", "Switch to light colors"),
        )
    ],
}
"""Material for MkDocs without fonts from elsewhere; readers copy code and choose the colors."""
EXTENSIONS = [
    "admonition",
    "tables",
    {"toc": {"permalink": True}},
    {"pymdownx.highlight": {"use_pygments": True}},
    "pymdownx.superfences",
    "pymdownx.details",
]
ASSETS = ROOT / "scripts" / "site"
"""The style and the script of the pages."""
SCHEMA = "schemas/applylint.json"
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def main() -> int:
    """Write the pages and build the site of them."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--address", default="", metavar="URL", help="the address that the site will have")
    given = parser.parse_args()
    folder = given.folder.resolve()
    build(folder, given.address.rstrip("/"))
    print(folder / "html" / "index.html")
    return 0


def build(folder: Path, address: str = "") -> None:
    """Build ``pages``, ``mkdocs.yml`` and ``html`` in a folder; raise ``CalledProcessError`` for a broken link."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    _write_pages(pages)
    book = rulebook.load([])
    for rule in book.rules:
        page = pages / "rules" / rule.family / f"{rule.id}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("\n".join(rule_page(rule)), encoding="utf-8")
    (pages / "rules" / "index.md").write_text("\n".join(rules_page(book.families, book.rules)), encoding="utf-8")
    (pages / "options.md").write_text("\n".join(options_page()), encoding="utf-8")
    (pages / SCHEMA).parent.mkdir()
    (pages / SCHEMA).write_text(json.dumps(configuration_schema(book, address), indent=2) + "\n", encoding="utf-8")
    shutil.copytree(ASSETS, pages / "site")
    settings = configuration(book.families, book.rules, address)
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    command = (sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--clean", "-f", folder / "mkdocs.yml")
    subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})


def configuration_schema(book: rulebook.Rulebook, address: str) -> JsonObject:
    """Return the schema of configuration files with the built-in rules, and its address on the site if there is one."""
    rules, families = ({item.id: item.summary for item in items} for items in (book.rules, book.families))
    schema = config_schema(rules, families)
    return {**schema, "$id": f"{address}/{SCHEMA}"} if address else schema


def configuration(families: Sequence[Family], rules: Sequence[Rule], address: str = "") -> dict[str, object]:
    """Return what MkDocs reads: the pages in their groups, and a theme that loads nothing from elsewhere."""
    by_family = [
        {family.id: [f"rules/{family.id}/{rule.id}.md" for rule in rules if rule.family == family.id]}
        for family in families
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository")
    return {
        "site_name": "kubectl applylint",
        "site_description": "Predicts what kubectl apply and GitOps tools will do, and reports hazards of a change",
        **({"site_url": f"{address}/"} if address else {}),
        **({"repo_url": repository} if repository else {}),
        "copyright": f"kubectl applylint {__version__}",
        "docs_dir": "pages",
        "site_dir": "html",
        "use_directory_urls": False,
        "theme": THEME,
        "plugins": ["material/search"],
        "markdown_extensions": EXTENSIONS,
        "extra_css": ["site/site.css"],
        "extra_javascript": ["site/site.js"],
        "nav": [
            {"Overview": "index.md"},
            *({group: [{title: page} for title, page in pages]} for group, pages in GROUPS.items()),
            {"Rules": [{"All rules": "rules/index.md"}, *by_family]},
        ],
    }


def _write_pages(pages: Path) -> None:
    """Copy the pages, and the files of the repository that they refer to."""
    names = [name for group in GROUPS.values() for _, name in group if name not in GENERATED]
    sources = {ROOT / "docs" / name: name for name in names}
    for source, name in {**sources, ROOT / "README.md": "index.md"}.items():
        text = source.read_text(encoding="utf-8")
        (pages / name).write_text(_LINK.sub(partial(_moved, source, pages), text), encoding="utf-8")


def _moved(source: Path, pages: Path, link: re.Match[str]) -> str:
    target = (source.parent / link[1]).resolve()
    if target.parent == ROOT / "docs" and target.suffix == ".md":
        return f"]({target.name}{link[2] or ''})"
    place = pages / "files" / target.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    # What is no page of the site is a file to look at, not a page without a place in the navigation.
    shown = place.with_suffix(".txt") if place.suffix == ".md" else place
    shutil.copyfile(target, shown)
    return f"]({shown.relative_to(pages).as_posix()})"


def rules_page(families: Sequence[Family], rules: Sequence[Rule]) -> Iterator[str]:
    """Yield the lines of the page that lists the rules by family."""
    yield from ("# Rules", "", "`applylint explain RULE` shows a rule in the terminal.", "")
    for family in families:
        yield from (
            f"## {family.id}",
            "",
            f"{family.summary}.",
            "",
            "| rule | severity | what it finds |",
            "|---|---|---|",
        )
        for rule in rules:
            if rule.family == family.id:
                yield f"| [{rule.id}]({family.id}/{rule.id}.md) | {rule.severity} | {_cell(rule.summary)} |"
        yield ""


def rule_page(rule: Rule) -> Iterator[str]:
    """Yield the lines of the page of a rule: what it says and why, what to do, and its stories."""
    needs = ", ".join(rule.needs)
    yield from (f"# {rule.id}", "", f"{rule.summary}.", "")
    yield from ("| severity | confidence | needs | family | hazards |", "|---|---|---|---|---|")
    yield f"| {rule.severity} | {rule.confidence} | {needs} | {rule.family} | {', '.join(rule.hazards)} |"
    yield from ("", "## What it says", "", f"> {_plain(rule_words(rule.message))}", "", rule.why, "")
    if rule.fix:
        yield from ("## What to do", "", "```", rule_words(rule.fix).rstrip(), "```", "")
    explained = [error.message for error in rule.errors if error.message]
    if explained:
        yield from ("## Messages that it explains", "", *(f"- `{message}`" for message in explained), "")
    yield from ("## Stories", "")
    for example in examples_of(rule):
        yield from _story(example)
    yield from ("## See also", "", *(f"- <{address}>" for address in rule.see), "")


def _story(example: Example) -> Iterator[str]:
    """Yield a story: the writes before the examined apply, its manifest, and the outcome."""
    yield from (f"### {example.summary[:1].upper()}{example.summary[1:]}", "")
    for number, step in enumerate(example.steps):
        yield from _step("Before" if number == 0 else "Then", step)
    yield from (f"After: `{example.command}`", "", "```yaml", example.manifest.rstrip(), "```", "")
    expected = "; ".join(f"finds `{rule}` at `{path}`" for rule, path in example.findings) or "nothing is found"
    yield from (f"Outcome: {expected}. {_replayed(example)}".rstrip(), "")


def _step(title: str, step: ExampleStep) -> Iterator[str]:
    by = f" by `{step.manager}`" if step.manager else ""
    command = f"`{step.command}`" if step.command else f"a patch of {step.patched}"
    yield from (f"{title}: {command}{by}", "")
    if step.body is not None:
        text = step.body if isinstance(step.body, str) else yaml.safe_dump(step.body, sort_keys=False)
        yield from ("```yaml", text.rstrip(), "```", "")


def _replayed(example: Example) -> str:
    record = example.record
    if record is None:
        return ""
    if not record.program.startswith("kubectl "):
        return f"Replayed with {record.program}, Kubernetes {record.kubernetes}."
    return f"Replayed with Kubernetes {record.kubernetes}: {record.verdict}."


def options_page() -> Iterator[str]:
    """Yield the lines of the page with the options of each command, as ``--help`` prints them."""
    yield from ("# Options", "")
    for command in COMMANDS:
        run = (sys.executable, "-m", "kubectl_applylint", command, "--help")
        done = subprocess.run(run, check=True, capture_output=True, encoding="utf-8", env={"COLUMNS": "110"})
        yield from (f"## {command}", "", "```", done.stdout.rstrip(), "```", "")


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it stands."""
    words = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_`\[\]])", r"\\\1", words)


if __name__ == "__main__":
    raise SystemExit(main())
