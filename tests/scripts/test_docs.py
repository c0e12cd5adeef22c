"""The site of the documentation: its pages, that it loads nothing from elsewhere, and how it looks in a browser."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from jsonschema import Draft7Validator
from playwright.sync_api import Page, sync_playwright

from kubectl_applylint.rulebook import rulebook
from tests.readme import PAGES, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]

_ELSEWHERE = re.compile(
    r"""<(?:script|img|link)\b[^>]*(?:src|href)=["'](?:https?:)?//(?!docs\.example/)[^>]*>|@import|url\(["']?https?:"""
)
RULE = "rules/removed/replicas-removed-scales-to-one.html"


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "scripts/docs.py", str(folder), "--address", "https://docs.example/applylint/"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "html"


@pytest.fixture(name="address", scope="module")
def _address(site: Path) -> Iterator[str]:
    """The address of the site on a server of our own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture(name="window", scope="module")
def _window(chromium: Path) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def test_the_site_has_a_page_for_each_rule_and_loads_nothing(site: Path) -> None:
    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.html")}
    found = [page for page in pages if _ELSEWHERE.search((site / page).read_text(encoding="utf-8"))]

    assert {f"rules/{rule.family}/{rule.id}.html" for rule in rulebook.built_in().rules} <= pages
    assert {page.name.replace(".md", ".html") for page in PAGES[1:]} <= pages
    assert found == []


def test_the_site_has_the_schema_of_the_configuration(site: Path) -> None:
    schema = json.loads((site / "schemas" / "applylint.json").read_text(encoding="utf-8"))

    assert schema["$id"] == "https://docs.example/applylint/schemas/applylint.json"
    Draft7Validator.check_schema(schema)
    Draft7Validator(schema).validate({"fail-on": "warning"})
    assert not Draft7Validator(schema).is_valid({"fail-on": "never"})


def test_a_rule_has_its_story(site: Path) -> None:
    page = (site / RULE).read_text(encoding="utf-8")

    assert [word in page for word in ("Before: ", "After: ", "Outcome: finds")] == [True] * 3


@pytest.mark.parametrize("page", ["index.html", "reviewers.html", "rules/index.html", RULE])
def test_a_page_is_readable(address: str, window: Page, axe_script: str, page: str) -> None:
    for scheme in ("light", "dark"):
        window.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        window.goto(f"{address}/{page}")
        window.evaluate(axe_script)
        found = window.evaluate("axe.run(document.querySelector('article'))")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    for width in (390, 800, 1400):
        window.set_viewport_size({"width": width, "height": 900})
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_the_search_finds_rules_without_other_requests(address: str, window: Page) -> None:
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    window.set_viewport_size({"width": 1400, "height": 900})
    window.goto(f"{address}/index.html")
    search, results = window.get_by_role("textbox", name="Search"), window.locator(".md-search-result__item")
    search.fill("replicas-removed")
    # The page reads the query when a key is released, and only after its script has started.
    for _ in range(60):
        search.press("End")
        if results.count():
            break
        window.wait_for_timeout(500)

    assert "replicas-removed" in results.first.inner_text()
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_the_rules_are_filtered(address: str, window: Page) -> None:
    window.set_viewport_size({"width": 1400, "height": 900})
    window.goto(f"{address}/rules/index.html")
    everything = window.locator("article tbody tr:visible").count()
    window.get_by_label("Show rules with these words").fill("namespace prun")
    window.get_by_label("Show rules of this severity").select_option("error")
    shown = window.locator("article tbody tr:visible")

    assert everything == len(rulebook.built_in().rules)
    assert 0 < shown.count() < 10
    assert "prune-deletes-namespace" in shown.all_inner_texts()[0] + "".join(shown.all_inner_texts())
