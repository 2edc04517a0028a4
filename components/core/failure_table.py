"""Tables that are wrong from the start: without rows, without columns, or with a padding row that is not there."""

from components.core.failure import Case, Offender, Parameter, failure, outside, rows_named, shape, token_table
from components.core.kinds import Whole

EMPTY_ON_GPU = (
    "Not known here: an empty table on a GPU is not something we found told anywhere, and this page runs on a CPU."
)
IN_PYTHON = "The same: Python looks at this number when the table is built, before any lookup on any device."
V_FROM_2 = Parameter(Whole("V", 2, 200_019), 6)


@failure("A table with V = 0")
def no_rows(D: int, seed: int) -> Case:
    code = token_table(0, D, seed) + "ids = torch.tensor([[0]])\ntoken_table(ids)\n"
    return Case(
        thought="torch refuses to build a table without rows.",
        code=code,
        offending=lambda run: outside(run, 0),
        explain=lambda run: (
            f"The table [0, {D}] is built without complaint; it is the first lookup that fails, and the message is "
            "not the one for an ID out of range. A vocabulary that came out empty, from an empty file perhaps, ends "
            "here, far from its cause."
        ),
        repair=code.replace("V, D = 0,", "V, D = 1,"),
        change="Even one token needs one row. Check the vocabulary where it is built.",
        gpu=EMPTY_ON_GPU,
    )


@failure("A table with D = 0", V=V_FROM_2)
def no_columns(V: int, seed: int) -> Case:
    code = token_table(V, 0, seed) + "ids = torch.tensor([[0, 1]])\ntoken_table(ids)\n"
    return Case(
        thought="A vector needs at least one number, so torch refuses D = 0.",
        code=code,
        offending=lambda run: [shape(run, "W", 1, "every vector is empty")],
        explain=lambda run: (
            f"Nothing is raised: the table [{V:,}, 0] is built, and the lookup gives vectors of no numbers at all, "
            "[1, 2, 0]. Whatever comes after works with nothing. A size computed with // may be 0 without a word: "
            "dim // heads, for one."
        ),
        repair=code.replace(f"V, D = {V}, 0", f"V, D = {V}, 1"),
        change="At least one number for each vector. Check D where it is computed.",
        gpu=EMPTY_ON_GPU,
    )


@failure("A padding_idx outside the table", beyond=Parameter(Whole("rows past the end", 1, 1_000), 1))
def padding_idx_outside(V: int, D: int, seed: int, beyond: int) -> Case:
    padding_idx = V - 1 + beyond
    code = token_table(V, D, seed).replace("(W)", f"(W, padding_idx={padding_idx})")
    code += "ids = torch.tensor([[0]])\ntoken_table(ids)\n"
    why = f"the token table {rows_named(V)}"
    return Case(
        thought=f"padding_idx is a mark outside the vocabulary, so {padding_idx:,} is free.",
        code=code,
        offending=lambda run: [Offender("padding_idx", (), padding_idx, why)],
        explain=lambda run: (
            "padding_idx names a row like any other ID: the row that gets no gradient, and that a new nn.Embedding "
            f"fills with zeros. So it must be a row of the table, which {rows_named(V)}; a negative number counts from "
            "the end. It masks nothing in attention; that is another setting."
        ),
        repair=code.replace(f"V, D = {V},", f"V, D = {padding_idx + 1},"),
        change="The padding gets a row of its own.",
        gpu=IN_PYTHON,
    )


@failure("padding_idx = −1")
def padding_idx_negative(V: int, D: int, seed: int) -> Case:
    code = token_table(V, D, seed).replace("(W)", "(\n    W, freeze=False, padding_idx=-1\n)")
    code += "token_table(torch.tensor([V - 1])).sum().backward()\ntoken_table.weight.grad[V - 1]\n"
    return Case(
        thought="−1 means: there is no padding.",
        code=code,
        offending=lambda run: [
            Offender("token_table.padding_idx", (), run.variables["token_table"].padding_idx, "the last row")
        ],
        explain=lambda run: (
            f"Nothing is raised. Here −1 does count from the end, unlike in a lookup: it means row {V - 1:,}, the last "
            "one. That row now gets the gradient 0, so its token never learns, and nobody is told."
        ),
        repair=code.replace("padding_idx=-1", "padding_idx=None"),
        change="None, the default, is how to say that there is no padding. The row's gradient is no longer 0.",
        gpu=IN_PYTHON,
    )
