import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.tables import seeded_generator
from components.training.snapshots import MAX_FRAMES, SnapshotRecorder, neighbour_mismatches


def random_film(rows: list[int], steps: int, V: int = 6, D: int = 5) -> tuple[SnapshotRecorder, list[torch.Tensor]]:
    draw = seeded_generator(steps)
    tables = [torch.randn(V, D, generator=draw) for _ in range(steps + 1)]
    film = SnapshotRecorder(rows, tables[0])
    for step in range(1, steps + 1):
        film.record_snapshot(step, tables[step])
    return film, tables


@given(st.integers(0, 700))
def test_frames_stand_at_even_distances_from_step_0_and_are_few(steps):
    film, _ = random_film([0, 1], steps, V=2, D=1)
    assert film.steps == list(range(0, steps + 1, film.every))
    assert len(film.steps) <= MAX_FRAMES
    assert film.every == 1 or len(film.steps) > MAX_FRAMES // 2


def test_the_film_is_thinned_when_one_frame_is_too_many():
    assert random_film([0, 1], MAX_FRAMES - 1)[0].every == 1
    assert random_film([0, 1], MAX_FRAMES)[0].every == 2


def test_a_frame_keeps_the_rows_as_they_were():
    table = torch.zeros(3, 2)
    film = SnapshotRecorder([0, 2], table)
    table += 1
    film.record_snapshot(1, table)
    assert np.ptp(film.project(1, table).points[1] - film.project(1, table).points[0], axis=0) == pytest.approx([0, 0])
    assert np.linalg.norm(film.project(1, table).points[1, 0] - film.project(1, table).points[0, 0]) > 1.4
    assert film.nbytes == 2 * 2 * 2 * 4


@pytest.mark.parametrize("steps", [0, 5, 100])
def test_all_frames_are_on_the_two_main_directions_of_all_of_them(steps):
    rows = [1, 3, 4, 5]
    film, tables = random_film(rows, steps)
    flat = film.project(steps, tables[steps])
    vectors = np.concatenate([tables[step][rows].double().numpy() for step in flat.steps])
    centred = vectors - vectors.mean(axis=0)
    sizes, directions = np.linalg.eigh(centred.T @ centred)
    wanted = (centred @ directions[:, [-1, -2]]).reshape(len(flat.steps), 4, 2)
    for axis in (0, 1):
        ours = flat.points[:, :, axis]
        sign = np.sign((ours * wanted[:, :, axis]).sum())
        assert ours == pytest.approx(sign * wanted[:, :, axis], abs=1e-6)
    assert flat.shares == pytest.approx(sizes[[-1, -2]] / sizes.sum())


def test_the_map_ends_with_the_table_as_it_stands():
    film, tables = random_film([0, 1, 2], 100)
    assert film.steps[-1] == 100
    now = film.project(101, tables[7] + 9)
    assert now.steps == (*film.steps, 101)
    assert len(now.points) == len(now.steps)
    assert film.project(100, tables[100]).steps == tuple(film.steps)
    assert film.steps[-1] == 100


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_frames_that_are_not_finite_are_left_out(bad):
    film, tables = random_film([0, 1, 2], 3)
    broken = tables[0].clone()
    broken[1, 2] = bad
    film.record_snapshot(4, broken)
    flat = film.project(5, broken)
    assert flat.steps == (0, 1, 2, 3)
    assert flat.points == pytest.approx(film.project(3, tables[3]).points)
    assert np.isfinite(flat.points).all()


def test_what_is_not_finite_in_other_rows_does_no_harm():
    film, tables = random_film([0, 1, 2], 3)
    tables[3][5, 0] = float("nan")
    assert film.project(3, tables[3]).steps == (0, 1, 2, 3)


def test_one_row_makes_no_map():
    with pytest.raises(ValueError, match="1 vectors make no map"):
        SnapshotRecorder([0], torch.zeros(2, 3)).project(0, torch.zeros(2, 3))


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 99))
def test_misplaced_rows_are_those_with_another_nearest_neighbour_on_the_map(rows, D, seed):
    vectors = torch.randn(rows, D, generator=seeded_generator(seed)).numpy()
    flat = vectors[:, :2]

    def nearest(points: np.ndarray, row: int) -> int:
        others = [other for other in range(rows) if other != row]
        return min(others, key=lambda other: np.linalg.norm(points[row].astype(float) - points[other].astype(float)))

    assert neighbour_mismatches(flat, vectors) == sum(
        nearest(flat, row) != nearest(vectors, row) for row in range(rows)
    )
    assert neighbour_mismatches(flat, flat) == 0
