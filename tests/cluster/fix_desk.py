"""Follows the fix of a case: a folder with its manifests, a shell with kubectl, and the product."""

import io
import json
import os
import re
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kubectl_applylint.cli.main import main as applylint
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Edit
from tests import libyaml
from tests.cases.cases import Case
from tests.cases.fixed import FixEntry
from tests.cluster.cluster import Cluster, Run
from tests.cluster.desk import PROGRAMS
from tests.cluster.story import Stage, Stuck, is_gone, remove
from tests.cluster.yamltext import dump
from tests.sources.text.patching import patch_text

FILE: Final = "web.yaml"
SECONDS: Final = 20
"""How long one command may take."""
_EARLIER: Final = "earlier.yaml"
_OF_SHELL: Final = "bin/kubeconfig"
_OF_PRODUCT: Final = "bin/kubeconfig-of-reader"
_SERVICE: Final = re.compile(r"(\bservice:\n( +)name: .*\n\2namespace: )default$", re.MULTILINE)
"""The Service of a webhook, which is named with its namespace."""
_OF_CONTROLLERS: Final = {
    "orphan",
    "foregroundDeletion",
    "kubernetes.io/pvc-protection",
    "kubernetes.io/pv-protection",
    "batch.kubernetes.io/job-tracking",
}
"""The finalizers that Kubernetes' own controllers take off."""


def finish(process: "subprocess.Popen[str]", stage: Stage, refs: Collection[ObjectRef]) -> Run:
    """Return how a command ended; meanwhile controllers remove their finalizers from objects that are deleted."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            stdout, stderr = process.communicate(timeout=0.4)
        except subprocess.TimeoutExpired:
            for ref in refs:
                _remove_finalizers(stage, ref)
            if time.monotonic() > deadline:
                process.kill()
                return Run(124, "", f"took more than {SECONDS} s")
        else:
            return Run(process.returncode, stdout, stderr)


def _remove_finalizers(stage: Stage, ref: ObjectRef) -> None:
    """Do what the controllers do for an object that is being deleted."""
    metadata = (stage.get(ref) or {}).get("metadata", {})
    left = [name for name in metadata.get("finalizers", []) if name not in _OF_CONTROLLERS]
    if "deletionTimestamp" in metadata and left != metadata.get("finalizers", []):
        stage.cluster.patch(stage.path(ref), {"metadata": {"finalizers": left}})
    if "deletionTimestamp" in metadata and ref.kind == "Namespace":
        stage.cluster.drop_namespace(ref.name)


@dataclass(frozen=True, slots=True)
class FixDesk:
    """The folder of one case on its stage: the shell writes to ``cluster``, the product reads as ``reader``."""

    stage: Stage
    cluster: Cluster
    reader: Cluster
    case: Case
    folder: Path
    is_stored: bool = True
    """Whether the server has the live object as the case has it; otherwise the product is shown that of the case."""

    def lay_out(self) -> None:
        """Write the manifests of the case, and put kubectl where the shell finds it first."""
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "kubectl").symlink_to(self.stage.cluster.kubectl)
        self._write(_OF_SHELL, self._in_namespace(self.cluster))
        self._write(_OF_PRODUCT, self._in_namespace(self.reader))
        self._write(FILE, self._whole(self.case.manifest))
        if self.case.kustomize:
            whole = {"resources": ["source.yaml"], **self.case.kustomize["kustomization"]}
            self._write("source.yaml", dump(self.case.kustomize["source"]))
            self._write("kustomization.yaml", dump(whole))

    def _in_namespace(self, user: Cluster) -> str:
        """Return the kubeconfig of a user, for the case's own namespace."""
        content = libyaml.load(user.kubeconfig.read_text(encoding="utf-8"))
        for each in content["contexts"]:
            each["context"]["namespace"] = self.stage.namespace
        return json.dumps(content)

    def write(self, fixed: FixEntry) -> None:
        """Write what the reader of the fix decides."""
        if fixed.manifest:
            self._write(FILE, self._whole(fixed.manifest, is_fixed=True))
        for name, text in fixed.files.items():
            self._write(name, text)

    def edit(self, edits: Sequence[JsonObject]) -> None:
        """Make the edits of a report in the files."""
        every = [_edit(one) for one in edits]
        for name in sorted({one.location.file for one in every}):
            text = (self.folder / name).read_text(encoding="utf-8")
            self._write(name, patch_text(text, [one for one in every if one.location.file == name]))

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _whole(self, manifest: str, *, is_fixed: bool = False) -> str:
        """Return the file: the peers, the manifest and what comes after it; of these what a fixed one has not."""
        own = {ref_of(one).identity for one in libyaml.load_all(manifest) if one} if is_fixed else set()
        sides = (self.case.peers, self.case.later)
        peers, later = ([dump(one) for one in side if ref_of(one).identity not in own] for side in sides)
        text = "\n---\n".join([*peers, manifest.rstrip("\n"), *later]) + "\n"
        return _SERVICE.sub(rf"\g<1>{self.stage.namespace}", text)

    def objects(self) -> list[JsonObject]:
        """Return what the file has now."""
        text = (self.folder / FILE).read_text(encoding="utf-8")
        return [one for one in libyaml.load_all(text) if one]

    def clear(self) -> None:
        """Delete what the file has now, so that nothing is left of objects that got another name."""
        for one in self.objects():
            remove(self.stage, ref_of(one))

    @property
    def source(self) -> tuple[str, str]:
        """The arguments of kubectl apply."""
        return ("-k", ".") if self.case.kustomize else ("-f", FILE)

    def check(self, rule: str, flags: Sequence[str]) -> list[JsonObject]:
        """Return the findings of a rule: against the live state, in a story with a base against what was applied."""
        words = ["check", *self.source, "--select", rule, "-o", "json", "--show-secrets", *flags, *self._against()]
        found: list[JsonObject] = [one for one in self._report(words)["findings"] if one["rule"] == rule]
        return found

    def _against(self) -> Sequence[str]:
        if not self.is_stored and isinstance(self.case.live, Present):
            self._write(_EARLIER, json.dumps({"apiVersion": "v1", "kind": "List", "items": [self.case.live.object]}))
            return (f"--against=snapshot:{_EARLIER}",)
        if not self.case.base:
            cache = f"--cache-dir={self.folder / 'cache'}"
            return ("--against=live", f"--kubeconfig={self.folder / _OF_PRODUCT}", cache)
        known = {ref_of(one): one for one in (*self.objects(), *self.case.base)}
        earlier = [was for one in known.values() if (was := self._last_applied(one))]
        self._write(_EARLIER, "\n---\n".join(map(dump, (*self.case.crds, *earlier))))
        is_placed = any(ref.namespace for ref in known)
        return (f"--against=file:{_EARLIER}", *([] if is_placed else [f"--namespace={self.stage.namespace}"]))

    def _last_applied(self, one: JsonObject) -> JsonObject | None:
        """Return the last-applied form of an object, itself without the annotation, ``None`` if it was deleted."""
        live = self.stage.get(ref_of(one))
        if live is None or is_gone(live):
            return None
        noted = live["metadata"].get("annotations", {}).get(LAST_APPLIED)
        if not noted:
            return one
        was: JsonObject = json.loads(noted)
        own = {key: value for key, value in was["metadata"].items() if value not in ({}, self.stage.namespace)}
        return {**was, "metadata": own}

    def _report(self, words: Sequence[str]) -> JsonObject:
        out, complaints = io.StringIO(), io.StringIO()
        with chdir(self.folder), redirect_stdout(out), redirect_stderr(complaints):
            applylint("applylint", words)
        if not out.getvalue():
            raise Stuck(f"check says: {complaints.getvalue().strip()}")
        report: JsonObject = json.loads(out.getvalue())
        return report

    def sh(self, command: str) -> Run:
        """Run a command as it was printed; meanwhile controllers take their finalizers off."""
        with subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            refs = {ref_of(one) for one in (*self.case.base, *self.case.peers)} | {self.case.ref}
            return finish(process, self.stage, refs)

    def _environment(self) -> Mapping[str, str]:
        path = os.pathsep.join([str(self.folder / "bin"), str(PROGRAMS), os.environ["PATH"]])
        return {
            **os.environ,
            "PATH": path,
            "KUBECONFIG": str(self.folder / _OF_SHELL),
            "KUBECACHEDIR": str(self.cluster.folder / "discovery"),
            "EDITOR": "sh editor" if (self.folder / "editor").exists() else "false",
        }

    def apply(self, flags: Sequence[str]) -> Run:
        """Run the apply of the case on the files as they are."""
        return self.sh(" ".join(["kubectl apply", *self.source, *flags]))

    def verdicts(self, printed: str) -> Iterator[str]:
        """Yield what kubectl printed of the case's object."""
        ref = self.case.ref
        yield from re.findall(rf"^{ref.kind.lower()}\b\S*/{re.escape(ref.name)} (\S+)", printed, re.MULTILINE)


def _edit(edit: JsonObject) -> Edit:
    place = edit["location"]
    span = Span(place["line"], place["column"], place["endLine"], place["endColumn"])
    return Edit(Location(place["file"], span), edit["text"])
