"""Combinations of flags about the live state and the apply; contradictions are named."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.cli.parsing.arguments import Arguments, parse
from kubectl_applylint.cli.state import configured_definitions, flags_of, live_source, request_of, unread_source
from kubectl_applylint.cli.unreached import UnreachedError
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.definitions import DefinitionSource
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.compare.against import NOTHING, Against, AgainstKind
from kubectl_applylint.tools.metacontroller.children import UpdateMethod

GIT, DIR, LIVE, SNAPSHOT = (
    Against(AgainstKind.GIT, "HEAD"),
    Against(AgainstKind.DIR, "before"),
    Against(AgainstKind.LIVE),
    Against(AgainstKind.SNAPSHOT, "nowhere.json"),
)
CONTROLLER = """\
apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata: {name: web}
spec:
  parentResource: {apiVersion: x.io/v1, resource: sets}
  childResources:
  - {apiVersion: v1, resource: pods, updateStrategy: {method: Recreate}}
"""


def arguments(*argv: str, command: str = "check") -> Arguments:
    return parse("applylint", [command, *argv])


def faults(found: Arguments, config: Config) -> list[str]:
    with pytest.raises(ConfigError) as caught, live_source(found, config):
        pass
    return list(caught.value.faults)


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("argv", "against", "fault"),
    [
        pytest.param([], NOTHING, "nothing to check: specify files or directories", id="no files"),
        pytest.param([], DIR, "nothing to check: specify files or directories", id="no files, but a folder"),
        pytest.param(["-A", "a.yaml"], NOTHING, "--all-namespaces cannot be used with files", id="-A with files"),
        pytest.param(
            [],
            Against(AgainstKind.GIT, "main:a"),
            "specify the files to compare with those under this path",
            id="a path",
        ),
        pytest.param(["a", "--context", "x"], NOTHING, "--context: only works with --against live", id="connection"),
        pytest.param(["-k", "nowhere"], NOTHING, "--kustomize: nowhere: unable to find one of kustomization", id="-k"),
        pytest.param(["a", "--force-conflicts"], NOTHING, "--force-conflicts", id="only server-side"),
    ],
)
def test_flags_that_contradict_each_other(argv: list[str], against: Against, fault: str) -> None:
    config = Config(against=against, force_conflicts="--force-conflicts" in argv)

    assert fault in faults(arguments(*argv), config)[0]


@pytest.mark.parametrize("against", [GIT, DIR, LIVE, SNAPSHOT, NOTHING], ids=str)
@pytest.mark.parametrize("command", ["check", "plan"])
def test_each_unit_is_predicted_as_applied_by_its_program(folder: Path, against: Against, command: str) -> None:
    (folder / "a").mkdir()
    config = Config(against=against)

    assert request_of(arguments("a", command=command), config).flags.asked == AskedApplier(None)
    assert request_of(arguments("a", command=command), replace(config, applier="kubectl")).flags.asked is None
    kapp = request_of(arguments("a", "--applier", "kapp", command="plan"), config).flags.asked
    assert kapp == AskedApplier(Applier.KAPP)


@pytest.mark.parametrize(
    ("argv", "command", "against"),
    [
        (["-f", "a"], "check", DIR),
        (["-f", "a"], "plan", DIR),
        (["a"], "units", GIT),
        (["a", "--applier", "kubectl"], "plan", DIR),
    ],
)
def test_one_apply_is_by_kubectl_despite_the_configuration(argv: list[str], command: str, against: Against) -> None:
    config = Config(against=against)

    assert request_of(arguments(*argv, command=command), config).flags.asked is None


def test_flags_of_helm_are_none_of_kubectl() -> None:
    config = Config(server_side=True, force_conflicts=True)
    words = ("--server-side", "--force-conflicts")

    by_helm = flags_of(arguments("a", "--applier", "helm4", *words, command="plan"), config)
    assert (by_helm.server_side, by_helm.force_conflicts) == (False, False)
    as_configured = flags_of(arguments("a", "--applier", "helm4", command="plan"), config)
    assert (as_configured.server_side, as_configured.force_conflicts) == (True, True)


@pytest.mark.parametrize("argv", [["-f", "a"], ["a", "--one-apply"]], ids=" ".join)
def test_one_apply_has_no_program_of_a_unit(argv: list[str]) -> None:
    assert request_of(arguments(*argv, command="plan"), Config(against=DIR)).flags.asked is None
    found = faults(arguments(*argv, "--applier", "flux", command="plan"), Config(against=DIR))
    assert found == ["--applier flux: name directories with Kustomizations of Flux, without -f, -k and --prune"]


@pytest.mark.parametrize("against", [LIVE, NOTHING, Against(AgainstKind.GIT, "main:a")], ids=str)
def test_every_commit_is_one_of_a_range(against: Against) -> None:
    found = faults(arguments("--every-commit", "a", command="again"), Config(against=against))

    assert "--every-commit: specify a range of commits: --against A..B, or main..." in found


def test_a_kustomization_is_the_only_file(folder: Path) -> None:
    (folder / "k").mkdir()
    (folder / "k/kustomization.yaml").write_text("resources: []\n")

    assert faults(arguments("-k", "k", "-R"), Config())[0].startswith("--kustomize: the -k flag cannot be used with")
    with live_source(arguments("-k", "k"), Config()) as source:
        assert source.origin == ""


def test_an_unreadable_source_ends_the_run_unless_allowed() -> None:
    found = arguments("a.yaml")

    with pytest.raises(UnreachedError, match="nowhere"), live_source(found, Config(against=SNAPSHOT)):
        pass
    with live_source(found, Config(against=SNAPSHOT, allow_unreachable=True)) as source:
        assert (source.origin, len(source.problems)) == ("", 1)


def test_sources_of_units_are_not_opened() -> None:
    with live_source(arguments("a"), Config(against=DIR), is_compared=True) as source:
        assert (source.origin, source.problems) == ("", ())


def test_a_misspelled_state_is_no_revision() -> None:
    config = Config(against=Against(AgainstKind.GIT, "live1"))

    with pytest.raises(ConfigError, match="git has no revision 'live1'; did you mean live"):
        unread_source(Problem("x", "no such revision"), config)


def test_a_missing_repository_ends_the_run_unless_allowed() -> None:
    problem = Problem("x", "no repository")

    with pytest.raises(UnreachedError):
        unread_source(problem, Config(against=GIT))
    assert unread_source(problem, Config(against=GIT, allow_unreachable=True)).problems == (problem,)


@pytest.mark.parametrize(
    ("command", "argv", "is_one_apply", "sets_aside"),
    [
        pytest.param("check", ["a"], False, True, id="check"),
        pytest.param("plan", ["a"], False, False, id="plan"),
        pytest.param("check", ["a", "--one-apply"], True, True, id="one apply"),
        pytest.param("revert", ["a"], True, False, id="a command that knows no units"),
    ],
)
def test_a_request_has_the_files_and_the_options(
    command: str, argv: list[str], is_one_apply: bool, sets_aside: bool
) -> None:
    request = request_of(arguments(*argv, command=command), Config(kubernetes_version="1.30"))

    assert (request.files, request.kubernetes_version) == (("a",), "1.30")
    assert (request.is_one_apply, request.sets_aside) == (is_one_apply, sets_aside)


def test_flags_of_the_apply_come_from_the_configuration_too() -> None:
    flags = flags_of(
        arguments("a", "--prune", "--all"),
        Config(namespace="shop", server_side=True, force_conflicts=True, field_manager="ci"),
    )

    assert (flags.namespace, flags.server_side, flags.force_conflicts, flags.manager) == ("shop", True, True, "ci")
    assert (flags.prune, flags.all, flags.sync) == (True, True, None)


def test_objects_of_a_kustomization_are_applied_with_its_folder(folder: Path) -> None:
    (folder / "my app").mkdir()
    (folder / "my app" / "kustomization.yaml").write_text("resources: []\n")

    assert flags_of(arguments("-k", "my app"), Config()).unit_arguments == "-k 'my app'"
    assert flags_of(arguments("a"), Config()).unit_arguments == ""


def test_the_file_of_a_controller_says_how_children_are_managed(folder: Path) -> None:
    (folder / "c.yaml").write_text(CONTROLLER)
    argv = ["a", "--applier", "metacontroller", "--controller", "c.yaml", "--update-method", "Pod=InPlace"]
    sync = flags_of(arguments(*argv), Config()).sync

    assert sync is not None
    assert [method for _, method in sync.methods][-1] is UpdateMethod.IN_PLACE
    assert UpdateMethod.RECREATE in [method for _, method in sync.methods]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param(None, "--controller: c.yaml", id="not there"),
        pytest.param("", "c.yaml: the file is empty", id="empty"),
        pytest.param(f"{CONTROLLER}---\n{CONTROLLER}", "expected one controller, found 2 objects", id="two"),
        pytest.param("apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n", "--controller: c.yaml: ", id="something else"),
    ],
)
def test_a_file_that_is_no_controller(folder: Path, text: str | None, fault: str) -> None:
    if text is not None:
        (folder / "c.yaml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        flags_of(arguments("a", "--applier", "metacontroller", "--controller", "c.yaml"), Config())
    assert fault in str(caught.value.faults[0])


def test_files_of_definitions_are_read_without_other_objects(tmp_path: Path) -> None:
    definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: lamps.x.io}\n"
    (tmp_path / "lamp.yaml").write_text(f"{definition}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n")
    sources = (DefinitionSource("cert-manager", "v1.21"), DefinitionSource(file=str(tmp_path / "*.yaml")))
    found = configured_definitions(Config(definitions=sources))

    assert found.pins == {"cert-manager": "v1.21"}
    assert [crd["metadata"]["name"] for crd in found.crds] == ["lamps.x.io"]


def test_a_file_of_definitions_that_is_missing_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--definitions: .*missing\.yaml"):
        configured_definitions(Config(definitions=(DefinitionSource(file=str(tmp_path / "missing.yaml")),)))
