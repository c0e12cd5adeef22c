from dataclasses import replace

from kubectl_applylint.report.html.values import ObjectView, OwnedLines, PageView, SectionView

BARE = ObjectView("created", "good", "created", "secret/token", (), (), 1, (), "", (), False, (), ())


def test_an_object_has_a_body_if_there_is_more_to_say() -> None:
    assert not BARE.has_body
    assert replace(BARE, owned=(OwnedLines((), ("kind: Secret",)),)).has_body
    assert replace(BARE, remedy="delete it").has_news


def test_the_anchors_of_a_page_are_those_of_its_sections() -> None:
    sections = (SectionView("a", (1, 2), ()), SectionView("b", (), ()))

    assert PageView("plan", "1", "", "", (), (), sections, {}, None).anchors == {1, 2}
