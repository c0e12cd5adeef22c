from dataclasses import replace

from kubectl_applylint.core.documents import InCluster
from kubectl_applylint.core.outcome import CERTAIN, Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.problem import Compared
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.doubts import doubts_of
from kubectl_applylint.report.objects.sections import Section, join_similar, merge_sections, object_of
from tests.report.samples import CONFIGURED, DOCUMENT, FINDING, REJECTED, WEB, change

DEV, PROD = (UnitReport(name, "folder", "kubectl", applies=1) for name in ("dev", "prod"))
PLAIN = Context(command="plan")
CALM = replace(CONFIGURED, confidence=CERTAIN, changes=CONFIGURED.changes[1:2])


def sections(*outcomes: Outcome, context: Context = PLAIN) -> list[Section]:
    units = [(unit, [(DOCUMENT, outcome)]) for unit, outcome in zip((DEV, PROD), outcomes, strict=False)]
    return merge_sections(units, doubts_of(outcomes), context)


def test_units_in_which_the_same_happens_are_one() -> None:
    (one,) = sections(CALM, replace(CALM, ref=replace(WEB, namespace="test")))

    assert one.units == (DEV, PROD)
    assert one.entries[0].namespaces == ("shop", "test")
    assert one.entries[0].units == 2


def test_the_first_of_many_namespaces_are_named() -> None:
    (section,) = sections(CALM)
    names = tuple(f"n{number}" for number in range(12))

    assert replace(section.entries[0], namespaces=("", "shop")).namespace_names == "shop"
    assert replace(section.entries[0], namespaces=names).namespace_names == f"{', '.join(names[:10])} and 2 more"


def test_units_whose_tools_have_other_orders_are_one() -> None:
    applies = [(DOCUMENT, replace(CALM, ref=replace(WEB, name=name))) for name in ("a", "b", "a")]

    (one,) = merge_sections([(DEV, applies), (PROD, applies[::-1])], doubts_of([CALM]), PLAIN)
    apart = merge_sections([(DEV, applies), (PROD, applies[:2])], doubts_of([CALM]), PLAIN)

    assert [(entry.outcome.ref.name, entry.units) for entry in one.entries] == [("a", 2), ("b", 2), ("a", 2)]
    assert [section.units for section in apart] == [(DEV,), (PROD,)]


def test_units_in_which_something_else_happens_are_not() -> None:
    assert [len(section.units) for section in sections(CALM, REJECTED)] == [1, 1]


def test_units_with_equal_changes_are_joined_despite_other_names() -> None:
    api = replace(CALM, ref=replace(WEB, name="api"))
    (one,) = join_similar(sections(CALM, api))
    apart = join_similar(sections(CALM, replace(api, changes=CONFIGURED.changes[:1])))

    assert one.units == (DEV, PROD)
    assert [[entry.outcome.ref.name for entry in group] for group in one.groups] == [["web", "api"]]
    assert [entry.units for entry in one.entries] == [1, 1]
    assert [len(section.units) for section in apart] == [1, 1]


def test_units_without_changes_of_fields_are_not_joined() -> None:
    left, other = (Outcome(replace(WEB, name=name), Verdict.PRUNED) for name in ("a", "b"))

    assert len(join_similar(sections(left, other))) == 2


def test_the_object_that_declares_a_unit_is_above_what_its_change_does() -> None:
    release = replace(WEB, kind="HelmRelease", name="shop")
    declaration, calm = replace(CALM, ref=release, restarts=False), Outcome(WEB, Verdict.CREATED)
    declared = replace(DEV, declared_by=release, cluster="prod")
    parent = replace(PROD, cluster="prod")

    def kinds(declared: UnitReport, first: Outcome, second: Outcome, parent: UnitReport = parent) -> list[list[str]]:
        units = [(declared, [(DOCUMENT, first)]), (parent, [(DOCUMENT, second), (DOCUMENT, CALM)])]
        found = merge_sections(units, doubts_of([first, second]), PLAIN)
        return [[entry.outcome.ref.kind for entry in section.entries] for section in found]

    assert kinds(declared, calm, declaration) == [["HelmRelease", "Deployment"], ["Deployment"]]
    in_parent = [["Deployment"], ["Deployment", "HelmRelease"]]
    assert kinds(declared, calm, declaration, replace(parent, cluster="test")) == in_parent
    assert kinds(DEV, calm, declaration) == in_parent
    assert kinds(declared, calm, replace(declaration, verdict=Verdict.CREATED)) == in_parent
    assert kinds(replace(declared, compared=Compared.NO), calm, declaration) == in_parent


def test_a_changed_declaration_without_effect_has_a_note() -> None:
    release = replace(WEB, kind="HelmRelease", name="shop")
    declared = replace(DEV, declared_by=release)
    for verdict, lines in ((Verdict.UNCHANGED, ("    no object changes",)), (Verdict.CREATED, ())):
        declaration, own = replace(CALM, ref=release, restarts=False), Outcome(WEB, verdict)
        units = [(declared, [(DOCUMENT, own)]), (PROD, [(DOCUMENT, declaration)])]
        first, parent = merge_sections(units, doubts_of([own, declaration]), PLAIN)

        assert first.entries[0].outcome == declaration
        assert first.entries[0].beside == lines
        assert first.entries[0].lines[-1:] == (lines or first.entries[0].lines[-1:])
        assert parent.entries == ()


def test_objects_of_one_name_that_declare_units_are_in_several_files() -> None:
    release = replace(WEB, kind="HelmRelease", name="shop")
    declaration, own = replace(CALM, ref=release, restarts=False), Outcome(WEB, Verdict.UNCHANGED)
    files = ("a/release.yaml", "b/release.yaml")
    declared = [replace(DEV, root=file, declared_by=release, location=f"{file}:3", cluster=file[0]) for file in files]
    parents = [replace(PROD, root=file[0]) for file in files]
    units = [
        *((unit, [(DOCUMENT, own)]) for unit in declared),
        *((unit, [(replace(DOCUMENT, file=file), declaration)]) for unit, file in zip(parents, files, strict=True)),
    ]
    found = merge_sections(units, doubts_of([own, declaration]), PLAIN)

    assert [len(section.entries) for section in found] == [1, 0]
    assert found[0].entries[0].beside == ("    no object changes",)
    assert found[0].entries[0].places == ("a/release.yaml:1:1", "b/release.yaml:1:1")


def test_unchanged_objects_are_left_out_unless_verbose() -> None:
    same = Outcome(WEB, Verdict.UNCHANGED)

    assert sections(same)[0].entries == ()
    assert len(sections(same, context=Context(command="plan", verbose=True))[0].entries) == 1
    assert len(sections(replace(same, warnings=("deprecated",)))[0].entries) == 1
    (section,) = merge_sections([(DEV, [(DOCUMENT, same)])], doubts_of([]), PLAIN, with_unchanged=True)
    assert len(section.entries) == 1


def test_an_unchanged_object_is_listed_with_its_findings() -> None:
    same = Outcome(WEB, Verdict.UNCHANGED)

    (section,) = merge_sections([(DEV, [(DOCUMENT, same)])], doubts_of([]), PLAIN, findings=[FINDING])
    (twins,) = merge_sections([(DEV, [(DOCUMENT, same), (DOCUMENT, CALM)])], doubts_of([]), PLAIN, findings=[FINDING])

    assert [entry.hazards for entry in section.entries] == [(FINDING,)]
    assert [entry.outcome.verdict for entry in twins.entries] == [Verdict.CONFIGURED]


def test_an_object_of_several_places_has_no_positions() -> None:
    elsewhere = replace(DOCUMENT, file="other.yaml")
    (one,) = merge_sections([(DEV, [(DOCUMENT, CALM)]), (PROD, [(elsewhere, CALM)])], doubts_of([]), PLAIN)

    assert one.entries[0].places == ("web.yaml:1:1", "other.yaml:1:1")
    assert not one.entries[0].document.locate(()).is_text


def test_notes_on_the_prediction_follow_the_changes() -> None:
    applies = [(DOCUMENT, CONFIGURED), (replace(DOCUMENT, file="other.yaml"), CALM)]
    (section,) = merge_sections([(None, applies)], doubts_of([outcome for _, outcome in applies]), PLAIN)

    assert section.entries[0].beside == (
        "    document 1 of 2 for this object, see other.yaml:1:1",
        "    confidence: medium (the snapshot is 3 days old)",
    )


def test_objects_with_equal_results_are_a_group() -> None:
    other, calm = (replace(one, ref=replace(WEB, name=one.verdict.value)) for one in (REJECTED, CALM))
    (section,) = merge_sections(
        [(None, [(DOCUMENT, one) for one in (REJECTED, calm, other)])], doubts_of([]), Context()
    )

    assert [len(group) for group in section.groups] == [2, 1]


def test_an_object_of_the_cluster_has_no_place() -> None:
    assert object_of(replace(DOCUMENT, positions=InCluster()), CALM).places == ()


def test_changes_with_equal_excerpts_are_not_merged() -> None:
    long = "x" * 300
    one, other = (
        replace(CALM, changes=(change(fields("spec", "x"), long, f"{long}{end}{long}{end}", Why.SET),))
        for end in ("a", "b")
    )

    assert len(sections(one, one)) == 1
    assert len(sections(one, other)) == 2


def test_documents_of_one_object_without_changes_have_a_note() -> None:
    other = replace(DOCUMENT, file="other.yaml")
    (section,) = merge_sections([(None, [(DOCUMENT, CALM), (other, CALM)])], doubts_of([]), PLAIN)

    assert section.entries[0].document is DOCUMENT
    assert [entry.beside for entry in section.entries] == [
        ("    document 1 of 2 for this object, see other.yaml:1:1",),
        ("    document 2 of 2 for this object, see web.yaml:1:1",),
    ]


def test_a_document_that_a_unit_has_twice_has_no_other_place() -> None:
    (section,) = merge_sections([(None, [(DOCUMENT, CALM), (DOCUMENT, CALM)])], doubts_of([]), PLAIN)

    assert [entry.beside for entry in section.entries] == [(), ()]
