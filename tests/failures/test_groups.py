from components.failures.catalogue import FAILURES, run_failure
from components.failures.groups import GROUPS, NO_ERROR


def test_every_experiment_is_in_one_group_and_raises_its_exception():
    names = [name for group in GROUPS for name in group.experiments]
    assert sorted(names) == sorted(FAILURES)
    for group in GROUPS[:-1]:
        for name in group.experiments:
            outcome = run_failure(name)
            assert (outcome.exception.__name__ if outcome.exception else NO_ERROR) == group.exception
