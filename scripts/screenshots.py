#!/usr/bin/env python3
"""Draw the pictures of ``docs`` again: the comment on ``examples/change``, as GitHub shows it, and its HTML report.

Needs Chromium on the PATH.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cmarkgfm
from cmarkgfm.cmark import Options
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
CHANGE = ("examples/change/after", "--against", "dir:examples/change/before", "--exit-zero")
WIDTH = 900
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 1rem auto; color: #1f2328; }
code { background: #eff1f3; border-radius: 6px; padding: .2em .4em; font-size: 85%; }
pre { background: #f6f8fa; border-radius: 6px; padding: 1rem; overflow: hidden; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: .3rem .8rem; }
"""


def main() -> int:
    """Write ``docs/comment.png`` and ``docs/report.png``."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("Chromium is not installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = draw_pages(Path(folder))
        window = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page(
            viewport={"width": WIDTH, "height": 700}
        )
        for name, page in pages.items():
            window.goto(page.as_uri())
            window.screenshot(path=ROOT / "docs" / f"{name}.png")
    return 0


def draw_pages(folder: Path) -> dict[str, Path]:
    """Write the pages to show into a folder, and return them by the names of their pictures."""
    report, found = folder / "report.html", folder / "check.json"
    _applylint("check", *CHANGE, "-o", f"html={report}", "-o", f"json={found}")
    _applylint("plan", *CHANGE, "-o", f"json={folder / 'plan.json'}")
    comment = folder / "comment.html"
    markup = cmarkgfm.github_flavored_markdown_to_html(
        _applylint("comment", str(folder / "plan.json"), str(found)), Options.CMARK_OPT_UNSAFE
    )
    comment.write_text(f"<meta charset=utf-8><style>{STYLE}</style>{markup}", encoding="utf-8")
    return {"comment": comment, "report": report}


def _applylint(*arguments: str) -> str:
    command = (sys.executable, "-m", "kubectl_applylint", *arguments)
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout


if __name__ == "__main__":
    raise SystemExit(main())
