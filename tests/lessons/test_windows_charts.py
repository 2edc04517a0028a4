import numpy as np
import pytest

from components.lessons.windows.charts import MAX_TOKENS, MAX_WINDOWS, coverage_chart, shift_chart

TEXT = [f"w{place}" for place in range(40)]


def windows_of(starts, length):
    return [TEXT[s : s + length] for s in starts], [TEXT[s + 1 : s + length + 1] for s in starts]


def drawn(chart, row):
    return {token["position"]: token["token"] for token in chart.to_dict()["datasets"]["tokens"] if token["row"] == row}


def uses(chart, use):
    return {row["position"]: row["times"] for row in chart.to_dict()["datasets"]["uses"] if row["use"] == use}


def test_targets_stand_one_place_further_on_so_that_equal_tokens_share_a_column():
    chart = shift_chart([0, 3], *windows_of([0, 12], 4))
    for number, start in ((0, 0), (3, 12)):
        given, wanted = drawn(chart, f"window {number} input"), drawn(chart, f"window {number} target")
        assert given == {place: TEXT[start + place] for place in range(4)}
        assert wanted == {place: TEXT[start + place] for place in range(1, 5)}


def test_inputs_are_tokens_and_targets_are_targets_in_colour():
    rows = shift_chart([0], *windows_of([0], 3)).to_dict()["datasets"]["tokens"]
    assert {(row["row"], row["color_role"]) for row in rows} == {
        ("window 0 input", "token"),
        ("window 0 target", "target"),
    }


def test_inputs_stand_above_their_targets_in_the_order_of_the_batch():
    chart = shift_chart([5, 2], *windows_of([20, 8], 2)).to_dict()
    rows = list(dict.fromkeys(row["row"] for row in chart["datasets"]["tokens"]))
    assert rows == ["window 5 input", "window 5 target", "window 2 input", "window 2 target"]
    assert all(layer["encoding"]["y"]["sort"] is None for layer in chart["layer"])


def test_a_large_batch_is_drawn_in_part():
    starts = list(range(MAX_WINDOWS + 2))
    rows = shift_chart(starts, *windows_of(starts, MAX_TOKENS + 4)).to_dict()["datasets"]["tokens"]
    assert len({row["row"] for row in rows}) == 2 * MAX_WINDOWS
    assert len(rows) == 2 * MAX_WINDOWS * MAX_TOKENS


def test_windows_and_labels_must_belong_together():
    with pytest.raises(ValueError, match="zip"):
        shift_chart([0, 1], *windows_of([0], 3))


@pytest.mark.parametrize(("length", "stride", "windows"), [(4, 4, [0, 1]), (3, 1, [0, 1, 2]), (2, 5, [0, 1, 2])])
def test_coverage_counts_what_the_windows_use(length, stride, windows):
    as_input, as_target = np.zeros(16, dtype=int), np.zeros(16, dtype=int)
    for window in windows:
        for place in range(window * stride, window * stride + length):
            as_input[place] += 1
            as_target[place + 1] += 1
    chart = coverage_chart(as_input, as_target, TEXT[:16])
    assert uses(chart, "input") == dict(enumerate(as_input.tolist()))
    assert uses(chart, "target") == dict(enumerate(as_target.tolist()))


def test_lost_tokens_are_those_used_for_nothing_and_they_have_the_colour_of_errors():
    chart = coverage_chart(np.array([1, 0, 0, 2]), np.array([0, 1, 0, 0]), TEXT[:4])
    assert uses(chart, "unused") == {0: 0, 1: 0, 2: 1, 3: 0}
    rows = chart.to_dict()["datasets"]["uses"]
    assert {(row["use"], row["color_role"]) for row in rows} == {
        ("input", "token"),
        ("target", "target"),
        ("unused", "error"),
    }


def test_places_count_from_the_start_of_the_part_shown():
    chart = coverage_chart(np.array([1, 2]), np.array([0, 1]), ["a", "b"], start=80)
    assert uses(chart, "input") == {80: 1, 81: 2}


@pytest.mark.parametrize(("times", "strongest"), [([0, 0], 1), ([1, 3], 3)])
def test_the_strength_of_the_colour_grows_from_zero_to_the_most_frequent_use(times, strongest):
    chart = coverage_chart(np.array(times), np.array([0, 0]), ["a", "b"]).to_dict()
    opacity = chart["encoding"]["opacity"]
    rows = [row for row in chart["datasets"]["uses"] if row["use"] == "input"]
    assert [row[opacity["field"]] for row in rows] == [count / strongest for count in times]
    assert opacity["scale"]["domain"] == [0, 1]
    assert opacity["scale"]["range"][0] < opacity["scale"]["range"][1] <= 1


@pytest.mark.parametrize("most", [1, 2, 9])
def test_a_lost_token_is_as_red_however_often_others_are_used(most):
    rows = coverage_chart(np.array([most, 0]), np.array([0, 0]), ["a", "b"]).to_dict()["datasets"]["uses"]
    assert [row["strength"] for row in rows if row["use"] == "unused"] == [0, 1]
