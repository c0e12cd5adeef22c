from kubectl_applylint.report.html.dependencies import UnitDependency
from kubectl_applylint.report.html.picture import UnitSketch, depths_of, picture_of

UNITS = [UnitSketch(number, f"unit/{number}", "1 created", "good") for number in range(3)]


def test_one_unit_needs_no_picture() -> None:
    assert picture_of(UNITS[:1], []) is None


def test_a_unit_is_to_the_right_of_its_dependencies() -> None:
    picture = picture_of(UNITS, [UnitDependency(0, 2, ("namespace shop",))])

    assert picture
    boxes = {box.anchor: box for box in picture.boxes}
    assert boxes[0].x > boxes[2].x == boxes[1].x
    assert boxes[0].y == boxes[2].y < boxes[1].y
    (arrow,) = picture.arrows
    assert arrow.title == "unit/0 depends on unit/2: namespace shop"
    assert arrow.path.startswith(f"M{boxes[0].x} ")


def test_many_units_stand_in_rows_and_the_rest_is_counted() -> None:
    units = [UnitSketch(number, "r" * 99, "", "good") for number in range(50)]
    picture = picture_of(units, [UnitDependency(49, 48, ())])

    assert picture
    assert picture.left_out == 10
    assert {48, 49} < {box.anchor for box in picture.boxes}
    assert len({box.x for box in picture.boxes}) == 4
    assert len({(box.x, box.y) for box in picture.boxes}) == 40
    assert picture.boxes[0].name == f"…{'r' * 29}"
    assert all(box.x < picture.width and box.y < picture.height for box in picture.boxes)


def test_a_circle_has_a_beginning() -> None:
    circle = [UnitDependency(0, 1, ()), UnitDependency(1, 0, ()), UnitDependency(2, 1, ())]

    assert depths_of([0, 1, 2], circle) == {0: 0, 1: 1, 2: 2}
    assert picture_of(UNITS, circle)
