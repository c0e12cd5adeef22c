"""The command ``lsp``, apart from the protocol."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


def test_without_pygls_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['pygls'] = None\n"
        "from kubectl_applylint.cli.main import main\n"
        "raise SystemExit(main('applylint', ['lsp']))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert run.returncode == 2
    assert (
        run.stderr == "applylint: lsp: pygls is not installed; install applylint with the extra lsp (docs/install.md)\n"
    )


def test_other_commands_do_not_import_pygls() -> None:
    program = (
        "import sys\n"
        "from kubectl_applylint.cli.main import main\n"
        "main('applylint', ['rules'])\n"
        "raise SystemExit('pygls' in sys.modules or 'lsprotocol' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert run.returncode == 0
