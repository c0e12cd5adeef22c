"""The report as one self-contained HTML page, which loads nothing and runs only its own script.

The template engine escapes all texts of the report. A content security policy names the style and the script by their
hashes, so that nothing else would run if a text were interpreted as markup.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html.picture import HEIGHT, WIDTH
from kubectl_applylint.report.html.view import page_view
from kubectl_applylint.report.objects.change_lines import RESET

_PACKAGE: Final = "kubectl_applylint.report.html"


def html_page(report: Report, context: Context) -> str:
    """Return the page for a plan or a check; equal reports have equal pages."""
    return render_page(
        "page",
        page=page_view(report, context),
        newline=Markup("\n"),
        tags={"gone": "del", "come": "ins", "gap": "small"},
        signs={"+": "come", "-": "gone", "~": "differs", "=": "same", RESET: "differs reset"},
        box_width=WIDTH,
        box_height=HEIGHT,
    )


def render_page(name: str, **values: object) -> str:
    """Return the page of a template, with the common style and script and the template's own style."""
    environment = _environment()
    style = "".join(_source(environment, one) for one in dict.fromkeys(("page.css", f"{name}.css")))
    script = _source(environment, "page.js")
    return environment.get_template(f"{name}.html").render(
        style=Markup(style), script=Markup(script), policy=policy_of(style, script), **values
    )


@cache
def _environment() -> Environment:
    """Return the environment with the templates, which are compiled once."""
    return Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _visible(value: object) -> object:
    """Return a text of the report with visible characters only; markup stays as it is."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _source(environment: Environment, name: str) -> str:
    assert environment.loader
    return environment.loader.get_source(environment, name)[0]


def policy_of(style: str, script: str) -> str:
    """Return the content security policy that allows only this style and this script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
