"""Experiments that raise nothing: rows that are not trained, are changed by a lookup, or win every prediction."""

from components.base.field_types import IntegerField
from components.failures.code_runner import CodeRun
from components.failures.experiment import Case, Parameter, experiment
from components.failures.gpu import ON_GPU
from components.failures.invalid_values import InvalidValue

TRAINING = (
    "No exception shows that a row is not trained, is changed by a lookup, or wins every prediction: compare the table "
    "with a copy from before."
)

V_UP_TO_2048 = Parameter(IntegerField("V", 2, 2_048), 6)
D_UP_TO_64 = Parameter(IntegerField("D", 1, 64), 3)
SILENT_ON_GPU = "The same, and no exception either. This could not be run here."


def ids_with_rows(run: CodeRun, rows: set[int], reason: str) -> list[InvalidValue]:
    """Return the elements of the tensor `ids` [1, T] whose row is one of `rows`."""
    ids = enumerate(run.variables["ids"][0].tolist())
    return [InvalidValue("ids", (0, t), row, reason) for t, row in ids if row in rows]


def changed_rows(run: CodeRun) -> set[int]:
    """Return the rows of the result [V, D] that are not 0 everywhere."""
    return {row for row, change in enumerate(run.result.tolist()) if any(change)}


@experiment("A table from from_pretrained", TRAINING, group="Training", V=V_UP_TO_2048)
def frozen_table(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption="An optimizer that has the table's parameters trains the table.",
        invalid_values=ids_with_rows(run, {0, V - 1}, "its row was not trained"),
        explanation=(
            f"Nothing is raised, and after the step {len(changed_rows(run))} of {V:,} rows have changed: "
            "from_pretrained freezes the table unless freeze=False is passed. The other layers train, so the loss may "
            "even fall."
        ),
        change="freeze=False: the rows that were looked up get a gradient and change.",
        gpu=SILENT_ON_GPU,
    )


@experiment("max_norm", TRAINING, group="Training", V=V_UP_TO_2048, D=D_UP_TO_64)
def max_norm_writes(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption="A lookup only reads; max_norm shortens the vectors that it returns.",
        invalid_values=ids_with_rows(run, changed_rows(run), "the lookup changed its row in the table"),
        explanation=(
            f"Nothing is raised. The lookup has changed {len(changed_rows(run))} of {V:,} rows: with max_norm every "
            "row that is looked up and whose norm is above 1 is scaled to norm 1 in the table itself, in evaluation "
            "too."
        ),
        change="The vectors are scaled after the lookup; the table stays as it is.",
        gpu=SILENT_ON_GPU,
    )


@experiment("A new random row", TRAINING, group="Training", V=V_UP_TO_2048, D=D_UP_TO_64)
def new_random_row(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption="A new row is harmless until its token occurs in a text.",
        invalid_values=(
            [InvalidValue("share", (), round(run.result.item(), 3), "of 1,000 contexts predict the new token")]
            if run.result
            else []
        ),
        explanation=(
            "Nothing is raised. If the output layer shares the table (tied weights), the new row also gives a logit. "
            f"With a standard deviation of 1, beside {V:,} rows of 0.02, it is the largest in "
            f"{run.result.item():.1%} of 1,000 random contexts: the model predicts a token that it has never seen."
        ),
        change="The mean of the other rows: its logit is the mean of the others, and never the largest.",
        gpu=ON_GPU["none"],
    )
