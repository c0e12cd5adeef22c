"""Files of a checkout that Python would import, and symlinks through which a report would be written elsewhere."""

from pathlib import Path

MODULES = ("yaml.py", "json.py", "select.py", "pip/__init__.py", "pip/__main__.py", "kubectl_applylint/__init__.py")
LINKS = ("applylint.sarif", "applylint.md", "gl-code-quality-report.json", "applylint-reports")


def plant(folder: Path) -> None:
    """Write modules that print PWNED, and symlinks to a file ``outside`` beside the folder."""
    for name in MODULES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("import sys\nsys.stderr.write('PWNED')\n", encoding="utf-8")
    for name in LINKS:
        (folder / name).symlink_to("../outside")
