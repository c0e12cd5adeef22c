"""The pages keep their word: every command in them runs, and every link leads somewhere."""

import html
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.cli.parsing.options import COMMANDS
from kubectl_applylint.config.configuration import load
from kubectl_applylint.config.hiding import choose_rules
from kubectl_applylint.lint.hiding.waivers import comment_waivers
from kubectl_applylint.rulebook import rulebook
from tests.cluster.cluster import Cluster
from tests.readme import PAGES, ROOT, run, sessions, shown_commands

pytestmark = pytest.mark.slow

TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
SESSIONS = [(page, *session) for page, text in TEXTS.items() for session in sessions(text).items()]
SHOWN = [(page, command) for page, text in TEXTS.items() for command in shown_commands(text)]
LINKS = [(page, link) for page, text in TEXTS.items() for link in re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", text)]
CONFIGURATION = TEXTS["docs/configuration.md"]
(_JOBS,) = re.findall(
    r"^```yaml\n(apiVersion: v1\nkind: Persist.*?)^```$", TEXTS["docs/ci.md"], re.MULTILINE | re.DOTALL
)
_ELSEWHERE = re.compile(
    r"""<(?:script|img|link)\b[^>]*(?:src|href)=["'](?:https?:)?//[^>]*>|@import|url\(["']?https?:"""
)


@pytest.mark.parametrize(("page", "command", "output"), SESSIONS)
def test_a_command_prints_what_is_shown(page: str, command: str, output: str) -> None:
    assert run(command).stdout == output, "python -m tests.readme writes what it prints now into the page"


@pytest.mark.parametrize(("page", "command"), SHOWN)
def test_a_command_for_other_repositories_has_only_options_that_there_are(page: str, command: str) -> None:
    program, *words = shlex.split(command.partition(" > ")[0].partition(" | ")[0], comments=True)
    is_plugin = program == "kubectl"
    arguments = parse("kubectl applylint" if is_plugin else "applylint", words[1:] if is_plugin else words)
    assert arguments.command in COMMANDS


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_a_link_leads_somewhere(page: str, link: str) -> None:
    path, _, place = link.partition("#")
    target = (ROOT / page).parent / path
    assert target.exists()
    if place:
        assert place in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in _titles(target)}


def _titles(page: Path) -> Iterator[str]:
    return (match[1] for match in re.finditer(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE))


def test_examples_of_the_configuration_page_are_valid(tmp_path: Path) -> None:
    units, targets, comments, ignored, accepted, definitions, severities = re.findall(
        r"^```yaml\n(# .*?)^```$", CONFIGURATION, re.MULTILINE | re.DOTALL
    )
    (tmp_path / ".applylint.yaml").write_text(
        units + "".join(one.partition("\n")[2] for one in (targets, ignored, accepted, definitions, severities)),
        encoding="utf-8",
    )

    config, sources = load({}, {}, tmp_path), comment_waivers(comments, "web.yaml")

    assert [str(unit) for unit in config.units] == ["clusters/*/crds", "clusters/*/apps"]
    assert [target.name for target in config.targets] == ["eu", "us"]
    assert [one.project for one in config.definitions] == ["cert-manager", ""]
    assert [(one.name, one.word) for one in config.severity] == [
        ("replicas-set-back", "error"),
        ("last-applied", "info"),
        ("flux-*", "off"),
    ]
    assert choose_rules(config).severities["flux-force-loses-object"] is None
    assert [(waiver.rules, waiver.until) for waiver in config.waivers] == [(("hand-edit-stays",), date(2027, 1, 31))]
    assert [(waiver.rules, waiver.until) for waiver in sources.waivers] == [
        (("last-applied-missing-keeps-fields",), date(2027, 1, 31)),
        (("replicas-set-back",), None),
    ]


def test_rules_that_cannot_be_hidden_are_named() -> None:
    protected = [rule.id for rule in rulebook.built_in().rules if not rule.ignorable]

    assert [rule for rule in protected if f"`{rule}`" not in CONFIGURATION] == []


def test_pods_share_a_check_with_the_manifest_that_is_shown(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(_JOBS, encoding="utf-8")
    found = run("applylint check . --against none -o json", folder=tmp_path)
    lines = [line.partition(" || ")[0] for line in _JOBS.splitlines() if line.lstrip().startswith("applylint ")]
    part, merge = (parse("applylint", shlex.split(line)[1:]) for line in lines)

    assert (found.returncode, json.loads(found.stdout)["findings"]) == (0, [])
    assert (part.command, part.share.shard, part.flags["output"]) == ("check", "auto", ("part=$part",))
    assert (merge.command, merge.files) == ("merge", ("/parts/part-*.json",))


def test_the_server_accepts_the_manifest_for_pods(cluster: Cluster, namespace: str) -> None:
    manifest = _JOBS.replace("namespace: applylint", f"namespace: {namespace}")
    applied = cluster.run("apply", "--dry-run=server", "--validate=strict", "-f", "-", stdin=manifest)

    assert (applied.code, applied.stderr) == (0, "")
    assert len(applied.stdout.splitlines()) == 3


def test_the_readme_is_short_enough_for_two_screens() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= 120


def test_the_picture_shows_what_the_command_prints() -> None:
    picture = (ROOT / "docs" / "plan.svg").read_text(encoding="utf-8")
    script = "import sys; sys.path.insert(0, 'scripts'); import picture; print(picture.drawn(picture.printed()))"
    drawn = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)

    assert _words(picture) == _words(drawn.stdout), "scripts/picture.py draws it again"
    assert "https://" not in picture


def _words(picture: str) -> str:
    """Return what a picture says, without the spaces between its parts."""
    return re.sub(r"\s+", "", html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))))


def test_every_command_has_its_options_on_the_site_and_a_word_on_a_page() -> None:
    every = "".join(TEXTS.values())
    assert [name for name in COMMANDS if f"applylint {name}" not in every and f"`{name}`" not in every] == []
