"""Detection of template functions that return other values at each rendering."""

import pytest

from kubectl_applylint.sources.render.random_values import are_random, may_be_random


@pytest.mark.parametrize(
    "text",
    [
        "{{ randAlphaNum 20 }}",
        '{{- $ca := genCA "web" 365 -}}',
        '{{ (genSignedCertWithKey "a" nil nil 1 $ca "k").Cert }}',
        'at: {{ now | date "2006" }}',
        '{{\n  dict "a"\n  (uuidv4)\n}}',
        "{{ .Values.password | default (randAlpha 8) }}",
    ],
)
def test_functions_that_draw_values_are_found(text: str) -> None:
    assert may_be_random("templates/a.yaml", text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "# now, with randAlphaNum",
        "{{/* now */}}{{- /* uuidv4 */ -}}",
        "{{ .Values.now }}{{ $now }}",
        "{{ required .Values.a }} now {{ .Values.b }}",
        "{{ nowhere }}",
    ],
)
def test_words_that_are_no_calls_are_not(text: str) -> None:
    assert not may_be_random("templates/a.yaml", text.encode())


def test_files_that_are_not_rendered_do_not_count_and_archives_do() -> None:
    call = b"{{ now }}"

    assert not are_random([("README.md", call), ("templates/NOTES.txt", call)])
    assert are_random([("charts/db-1.0.0.tgz", b"")])
    assert are_random([("Chart.yaml", b""), ("values.yaml", call)])


@pytest.mark.parametrize(
    "name",
    [
        *("randAlpha", "randAlphaNum", "randAscii", "randNumeric", "randBytes", "randInt", "genPrivateKey", "genCA"),
        *("genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey"),
        *("uuidv4", "htpasswd", "bcrypt", "encryptAES", "shuffle", "now", "ago"),
    ],
)
def test_each_function_is_found(name: str) -> None:
    assert may_be_random("templates/a.yaml", f"{{{{ {name} 1 }}}}".encode())
