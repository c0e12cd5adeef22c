"""The documents of a session, and their checks."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.cli.editor import session
from kubectl_applylint.cli.editor.checks import Checker
from kubectl_applylint.cli.editor.session import LONGEST_PAUSE, PAUSE, Session, failure_words, pause_after
from kubectl_applylint.cli.editor.texts import InvalidParamsError
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.run.compare.against import NOTHING, read_against
from kubectl_applylint.sources.text.yaml_text import load
from tests.cli.editor.test_checks import CHECKER, CONFIG
from tests.cli.editor.test_server import TEXT

URI = "untitled:1"
DOCUMENT = {"uri": URI, "version": 1, "text": TEXT}
EXTENT = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}


def checker(settings: Json) -> Checker:
    if settings == "wrong":
        raise ConfigError(["applylint.x: unknown setting", "applylint.y: unknown setting"])
    against = read_against(settings) if settings else NOTHING
    return replace(CHECKER, config=replace(CONFIG, against=against))


class Sent:
    """The notifications of a session."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, Json]] = []
        self.session = Session(checker, lambda method, params: self.messages.append((method, params)))

    def take(self) -> list[tuple[str, Json]]:
        found, self.messages = self.messages, []
        return found


@pytest.fixture
def sent() -> Sent:
    found = Sent()
    found.session.open({"textDocument": DOCUMENT})
    return found


def change(text: str, version: int) -> JsonObject:
    return {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"text": text}]}


@pytest.mark.parametrize(
    ("seconds", "pause"),
    [(0, PAUSE), (0.03, PAUSE), (0.2, 0.1), (9, LONGEST_PAUSE)],
    ids=["none", "quick", "slow", "slowest"],
)
def test_the_pause_after_a_change_grows_with_the_time_of_a_check(seconds: float, pause: float) -> None:
    assert pause_after(seconds) == pause


def test_an_opened_document_is_checked_at_once(sent: Sent) -> None:
    assert sent.session.seconds_to_check() == 0
    sent.session.check_due()

    ((method, params),) = sent.take()
    assert (method, params["uri"], params["version"]) == ("textDocument/publishDiagnostics", URI, 1)
    assert len(params["diagnostics"]) == 1
    assert sent.session.seconds_to_check() is None


def test_a_changed_document_is_checked_after_a_pause(sent: Sent) -> None:
    sent.session.change(change("", 2))
    sent.session.check_due()

    assert sent.take() == []
    assert 0 < (sent.session.seconds_to_check() or 0) <= LONGEST_PAUSE


def test_a_request_checks_what_waits(sent: Sent) -> None:
    sent.session.change(change(f"# above\n{TEXT}", 2))
    (fix,) = sent.session.code_actions({"textDocument": {"uri": URI}, "range": EXTENT})

    assert fix["diagnostics"][0]["range"]["start"]["line"] == 8
    assert [params["version"] for _, params in sent.take()] == [2]
    assert sent.session.seconds_to_check() is None


def test_a_document_that_is_not_open_has_nothing(sent: Sent) -> None:
    sent.session.change({**change("", 2), "textDocument": {"uri": "untitled:2"}})
    sent.session.save({"textDocument": {"uri": "untitled:2"}})

    assert sent.session.code_actions({"textDocument": {"uri": "untitled:2"}, "range": EXTENT}) == []
    with pytest.raises(InvalidParamsError, match=r"range\.start"):
        sent.session.code_actions({"textDocument": {"uri": URI}, "range": {}})


def test_a_saved_document_is_checked_again(sent: Sent) -> None:
    sent.session.check_due()
    sent.session.save({"textDocument": {"uri": URI}})
    sent.session.check_due()

    assert len(sent.take()) == 2


def test_a_closed_document_is_not_checked(sent: Sent) -> None:
    sent.session.close({"textDocument": {"uri": URI}})

    assert sent.take() == [("textDocument/publishDiagnostics", {"uri": URI, "diagnostics": []})]
    assert sent.session.seconds_to_check() is None


def test_a_large_document_is_one_message(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LARGEST", 10)
    sent.session.check_due()

    (message, published) = sent.take()
    assert "is not checked" in message[1]["message"]
    assert published[1]["diagnostics"] == []


def test_a_repeated_error_is_shown_once(sent: Sent) -> None:
    sent.session.show("a\nb")
    sent.session.show("a\nb")

    methods = [method for method, _ in sent.take()]
    assert methods == ["window/logMessage", "window/showMessage", "window/logMessage"]


def test_a_bug_has_its_place_and_no_value() -> None:
    try:
        raise ValueError("c4nary-of-a-secret")
    except ValueError as fault:
        words = failure_words(fault)

    assert "c4nary" not in words
    assert words.startswith("ValueError; this is a bug in applylint")


def test_other_documents_are_checked_later(sent: Sent) -> None:
    sent.session.open({"textDocument": {**DOCUMENT, "uri": "untitled:2"}})
    while sent.session.seconds_to_check() is not None:
        sent.session.check_due()
    sent.session.change(change("", 2))
    sent.session.code_actions({"textDocument": {"uri": URI}, "range": EXTENT})

    assert (sent.session.seconds_to_check() or 0) > LONGEST_PAUSE


def test_a_cluster_is_asked_only_for_documents_that_are_saved(sent: Sent) -> None:
    sent.session.change_settings({"settings": "live"})
    sent.session.close({"textDocument": {"uri": URI}})
    sent.session.open({"textDocument": DOCUMENT})
    sent.session.check_due()
    sent.session.change(change("", 2))

    assert sent.session.seconds_to_check() is None
    assert sent.session.code_actions({"textDocument": {"uri": URI}, "range": EXTENT}) == []
    sent.session.save({"textDocument": {"uri": URI}})
    assert sent.session.seconds_to_check() == 0


def test_invalid_settings_are_one_message(sent: Sent) -> None:
    sent.session.change_settings({"settings": "wrong"})

    message = "applylint.x: unknown setting; applylint.y: unknown setting"
    assert sent.take() == [("window/showMessage", {"type": 1, "message": message})]
    assert sent.session.seconds_to_check() == 0


def test_files_are_named_relative_to_the_first_folder(
    sent: Sent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    sent.session.initialize({"workspaceFolders": [{"uri": f"file://{tmp_path}"}, {"uri": "untitled:1"}]})

    assert Path.cwd() == tmp_path
    sent.session.initialize({"rootUri": "file:///absent", "workspaceFolders": None})
    assert Path.cwd() == tmp_path


def test_changed_files_check_all_documents(sent: Sent) -> None:
    sent.session.check_due()
    sent.session.change_files({})

    assert sent.session.seconds_to_check() == 0


def test_a_state_that_cannot_be_read_is_a_message_and_the_text_is_checked(
    sent: Sent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web.yaml").write_text(TEXT)
    sent.session.initialize({"rootUri": f"file://{tmp_path}", "initializationOptions": "HEAD"})
    sent.session.close({"textDocument": {"uri": URI}})
    sent.session.open({"textDocument": {**DOCUMENT, "uri": f"file://{tmp_path}/web.yaml"}})
    sent.take()
    sent.session.check_due()

    (message, published) = sent.take()
    assert "not in a git repository" in message[1]["message"]
    assert len(published[1]["diagnostics"]) == 1


def test_a_document_has_symbols_and_definitions(sent: Sent) -> None:
    position = {"line": 5, "character": 4}

    assert sent.session.hover({"textDocument": {"uri": URI}, "position": {"line": 7, "character": 4}})
    assert sent.session.hover({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}) is None
    assert sent.session.hover({"textDocument": {"uri": "untitled:2"}, "position": position}) is None
    (found,) = sent.session.symbols({"textDocument": {"uri": URI}})
    assert found["name"] == "Service/web"
    assert sent.session.definitions({"textDocument": {"uri": URI}, "position": position}) == []
    for ask in (sent.session.symbols, sent.session.definitions):
        assert ask({"textDocument": {"uri": "untitled:2"}, "position": position}) == []


def test_the_documents_of_earlier_texts_are_released(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    sent.session.check_due()
    assert load.cache_info().currsize

    monkeypatch.setattr(session, "_MOST_CACHED", 10)
    sent.session.save({"textDocument": {"uri": URI}})
    sent.session.check_due()
    assert load.cache_info().currsize == 0
