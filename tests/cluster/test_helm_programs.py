"""The official Helm programs: of the versions that the recordings name."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.cluster.helm_programs import HELMS


def test_the_programs_print_their_versions(helm_programs: Mapping[str, Path]) -> None:
    for applier, program in helm_programs.items():
        output = subprocess.run(
            [program, "version", "--template", "{{.Version}}"], env={}, capture_output=True, text=True
        )
        assert (program.name, output.stdout) == ("helm", HELMS[applier].version)
