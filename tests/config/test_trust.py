"""Limits of the configuration of a repository, and trusted configurations next to it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.config.configuration import Config, ConfigError, load
from kubectl_applylint.config.trust import outside_error
from kubectl_applylint.lint.model import Severity

YAML = ".applylint.yaml"
HARMLESS = {
    "against: none": "against: none",
    "against: HEAD~1": "against: HEAD~1",
    "against: snapshot:prod.yaml": "a snapshot of the repository",
    "baseline: known.json": "a baseline of the repository",
    "exit-zero: false": "exit-zero: false",
    "fail-on: warning": "fail-on",
    "ignore: [x]": "ignore",
    "output: [sarif]": "a format",
    "rules: [ours]": "rules of the repository",
    "rules: [sub/../ours]": "a way through a folder",
    "show-secrets: false": "show-secrets: false",
    "api-versions: [x.io/v1]": "api-versions",
    "own-sources: {Bucket/a/b: .}": "own-sources",
    "severity: {x: 'off'}": "severity",
    "conclusion: {attention: success}": "conclusion",
    "units: [a, {path: b, against: main}]": "units",
}
HARMFUL = {
    "allow-host: ghcr.io": "allow-host (line 1: allows downloads from hosts)",
    "mirrors: {ghcr.io: mirror.example}": "mirrors (line 1: contacts other hosts)",
    "store: charts.store": "store (line 1: replaces the charts that are rendered)",
    "against: dir:../x": "against (line 1: is outside the repository)",
    "against: last-applied": "against (line 1: reads a cluster)",
    "against: last-applied:/etc/x.json": "against (line 1: is outside the repository)",
    "against: live": "against (line 1: reads a cluster)",
    "against: snapshot:/etc/passwd": "against (line 1: is outside the repository)",
    "baseline: .git/config": "baseline (line 1: is inside .git)",
    "baseline: .GIT/hooks/pre-commit": "baseline (line 1: is inside .git)",
    "baseline: out/x.json": "baseline (line 1: is outside the repository)",
    "exit-zero: true": "exit-zero (line 1: disables the exit code)",
    "output: json=report.json": "output (line 1: writes a file)",
    "output: [text, json=/etc/cron.d/x]": "output (line 1: writes a file)",
    "render-memory: 64Gi": "render-memory (line 1: changes a limit of programs that render)",
    "render-timeout: 0": "render-timeout (line 1: changes a limit of programs that render)",
    "rules: [/tmp/rules]": "rules (line 1: is outside the repository)",
    "rules: ../rules": "rules (line 1: is outside the repository)",
    "show-secrets: true": "show-secrets (line 1: reveals masked values)",
}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    (repo / "deploy").mkdir()
    (repo / "out").symlink_to(tmp_path)
    return repo


@pytest.mark.parametrize("text", HARMLESS, ids=HARMLESS.values())
def test_harmless_settings_are_followed(repo: Path, text: str) -> None:
    (repo / YAML).write_text(f"{text}\n")
    found = load({}, {}, repo)

    assert found.unfollowed == ()
    assert text.partition(":")[0] in found.origins


@pytest.mark.parametrize(("text", "why"), HARMFUL.items(), ids=HARMFUL)
def test_unsafe_settings_are_reported_and_ignored(repo: Path, text: str, why: str) -> None:
    (repo / YAML).write_text(f"{text}\n")
    found = load({}, {}, repo / "deploy")

    assert found == Config()
    assert found.unfollowed == (f"not followed, as ../{YAML} is not trusted: {why}; --config ../{YAML} trusts it",)


@pytest.mark.parametrize("text", HARMFUL)
def test_a_file_that_was_named_is_trusted(repo: Path, text: str) -> None:
    (repo / YAML).write_text(f"{text}\n")
    by_flag = load({}, {}, repo, file=YAML)
    by_variable = load({}, {"APPLYLINT_CONFIG": str(repo / YAML)}, repo)

    assert by_flag == by_variable != Config()
    assert (by_flag.unfollowed, by_variable.unfollowed) == ((), ())


def test_unfollowed_settings_are_reported_in_one_line(repo: Path) -> None:
    (repo / "pyproject.toml").write_text(
        '[tool.applylint]\nshow-secrets = true\noutput = ["text", "json=x"]\nfail-on = "info"\n'
    )
    found = load({}, {}, repo)

    assert (found.fail_on, found.show_secrets) == (Severity.INFO, False)
    assert found.unfollowed == (
        "not followed, as pyproject.toml is not trusted: show-secrets (line 2: reveals masked values),"
        " output (line 3: writes a file); --config pyproject.toml trusts it",
    )


def test_a_named_file_replaces_the_nearest_and_overrides_the_users_own(repo: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".config/applylint").mkdir(parents=True)
    (home / ".config/applylint/config.yaml").write_text("show-secrets: true\nfail-on: info\nnamespace: own\n")
    (repo / YAML).write_text("fail-on: warning\n")
    (repo / "other.yaml").write_text("namespace: named\n")
    environ = {"HOME": str(home)}

    nearest, named = load({}, environ, repo), load({}, environ, repo, file="other.yaml")

    assert nearest == Config(show_secrets=True, fail_on=Severity.WARNING, namespace="own")
    assert named == Config(show_secrets=True, fail_on=Severity.INFO, namespace="named")
    assert load({}, {"XDG_CONFIG_HOME": str(home / ".config")}, tmp_path).namespace == "own"
    assert load({}, {"XDG_CONFIG_HOME": "home/.config"}, tmp_path).namespace == ""
    assert load({}, environ, repo, file=os.devnull) == load({}, environ, tmp_path)


def test_a_named_file_that_is_not_there_is_wrong_use(repo: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml: cannot be read: No such file or directory"):
        load({}, {}, repo, file="gone.yaml")


def test_a_link_that_leads_out_of_the_repository_is_not_followed(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text("fail-on: info\n")
    (repo / YAML).symlink_to(tmp_path / "elsewhere.yaml")
    found = load({}, {}, repo)

    assert found == Config()
    assert "all of it (a symlink to outside the repository)" in found.unfollowed[0]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_another_user_in_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / YAML).write_text("fail-on: info\n")
    mine = load({}, {}, tmp_path)
    os.chown(tmp_path / YAML, 12345, 12345)
    theirs = load({}, {}, tmp_path)

    assert (mine.fail_on, theirs) == (Severity.INFO, Config())
    assert "all of it (it is owned by another user)" in theirs.unfollowed[0]


@given(st.lists(st.sampled_from(["..", ".", "a", "out", "deploy", "/", "etc", ".git", "x"])))
def test_no_path_that_is_followed_leads_out(parts: list[str]) -> None:
    """Paths that are followed are inside of the root, whatever they consist of."""
    root = Path(os.path.realpath("/usr/share"))
    path = root.joinpath(*parts)
    inside = Path(os.path.realpath(path))

    assert (outside_error(path, root) == "") == (
        (inside == root or root in inside.parents) and ".git" not in inside.parts
    )


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("against", "live", "reads a cluster"),
        ("against", "dir:../x", "is outside the repository"),
        ("context", "prod", "reads a cluster"),
    ],
    ids=["live", "dir", "context"],
)
def test_a_unit_is_followed_in_all_but_what_could_hurt(repo: Path, key: str, value: str, why: str) -> None:
    (repo / YAML).write_text(f"units: [a, {{path: b, {key}: '{value}', server-side: true}}]\n")
    found = load({}, {}, repo)

    assert [(unit.path, unit.applied.options) for unit in found.units] == [("a", ()), ("b", (("server_side", True),))]
    assert found.unfollowed == (
        f"not followed, as {YAML} is not trusted: {key} (line 1: {why}); --config {YAML} trusts it",
    )


def test_a_target_is_followed_in_all_but_what_could_hurt(repo: Path) -> None:
    (repo / YAML).write_text("targets: [{name: eu, context: prod}, {name: us, against: 'snapshot:us.json'}]\n")
    found = load({}, {}, repo)

    assert [(one.name, one.against is None) for one in found.targets] == [("eu", True), ("us", False)]
    assert "context (line 1: reads a cluster)" in found.unfollowed[0]
