"""The programs of the training lesson: the toy model trained by the learner's recipe, in plain PyTorch."""

from components.core.limits import MAX_TRAINING_TOKENS
from components.core.link import State
from components.core.shapes import too_short
from components.core.snippet import MAX_INLINE, Ids, Snippet
from components.core.snippet_literals import by_words
from components.core.snippet_model import training_loop, windows_of_rows
from components.core.tokenizers import TokenizerUnavailable, get_tokenizer
from components.core.training_recipe import SPARE_ROWS, Recipe, recipe_for
from components.core.vocabulary import Vocabulary


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson; none where the text gives nothing to train on.

    >>> [snippet.name for snippet in snippets(State(), [464, 7850, 464, 3331, 318])]
    ['windows', 'train', 'next_token']
    """
    ids, note = used(state, token_ids)
    if too_short(len(ids), state.settings) or len(set(ids)) == 1:
        return []
    vocab_size = 1 + len(set(ids)) + SPARE_ROWS
    try:
        recipe, _ = recipe_for(state.settings, state.choices, vocab_size)
    except ValueError:
        return []
    found = [_windows(state, ids, note), _train(state, ids, recipe, note)]
    last = prompt(state, ids)
    return [*found, _next_token(state, ids, recipe, last, note)] if last else found


def used(state: State, token_ids: Ids) -> tuple[list[int], str]:
    """Return the IDs of the text that a program trains on, and a sentence where the page trains on more."""
    ids = [int(i) for i in token_ids[:MAX_TRAINING_TOKENS]]
    if len(ids) <= MAX_INLINE or by_words(state):
        return ids, ""
    return ids[:MAX_INLINE], (
        f" The page trains on {len(ids):,} tokens of your text; this program holds the first {MAX_INLINE:,}, so its "
        "numbers are not those of the page."
    )


def prompt(state: State, ids: list[int]) -> tuple[int, int] | None:
    """Return the row of the prompt's last token and its place; None where the page refuses the prompt.

    >>> from components.core.choices import Choices
    >>> prompt(State(choices=Choices(prompt=" bank")), [383, 3331, 318])
    (3, 0)
    """
    name = state.settings.tokenizer
    try:
        tokens = Vocabulary.from_text(state.text) if name == "words" else get_tokenizer(name, timeout=0.0)
    except TokenizerUnavailable:
        return None
    asked = tokens.encode(state.choices.prompt or tokens.decode(ids[: min(2, state.settings.context_length)]))
    distinct = sorted(set(ids))
    rows = {token_id: row for row, token_id in enumerate([*distinct, *spare(distinct)], start=1)}
    if not asked or asked[-1] not in rows:
        return None
    return rows[asked[-1]], min(len(asked), state.settings.context_length) - 1


def spare(distinct: list[int]) -> list[int]:
    """Return the IDs of the tokens that stand for the rest of the vocabulary: the first that the text does not use.

    >>> spare([1, 3, 9])
    [2, 4, 5]
    """
    used = set(distinct)
    return [i for i in range(1, len(used) + SPARE_ROWS + 1) if i not in used][:SPARE_ROWS]


def _windows(state: State, ids: list[int], note: str) -> Snippet:
    code = (
        f"import torch\n\n{windows_of_rows(state, ids)}print(V, inputs.shape)\nprint(inputs[:8])\nprint(targets[:8])\n"
    )
    about = "The text becomes windows of row numbers, counted from 0, so that the toy model needs few rows."
    return Snippet("windows", "What it learns from", about + note, code)


def _train(state: State, ids: list[int], recipe: Recipe, note: str) -> Snippet:
    code = training_loop(state, ids, recipe) + 'print(f"V = {V}, ln V = {math.log(V):.2f}, {len(losses)} steps")\n'
    if state.choices.train_steps:
        code += (
            'print(f"loss {losses[0]:.4f} in the first step, {losses[-1]:.4f} in the last")\n'
            "with torch.no_grad():\n"
            "    of_text = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())\n"
            'print(f"loss over the whole text {of_text:.4f}")\n'
            "gradient = model.token.weight.grad.norm(dim=1)  # of the last step, [V]\n"
            "distance = (model.token.weight - start.token.weight).detach().norm(dim=1)  # [V]\n"
            'print(f"{(gradient == 0).sum()} rows have a gradient of exactly 0,", end=" ")\n'
            'print(f"{(distance == 0).sum()} stand where they did")\n'
            "print(gradient[:24])\nprint(distance[:24])\n"
        )
    steps = state.choices.train_steps
    about = (
        f"The whole training, {steps:,} step{'' if steps == 1 else 's'} of it: a batch, its loss, the gradient, and a "
        "move of every weight. Rows that were not looked up have a gradient of exactly 0, unless the output layer is "
        "the same table."
    )
    return Snippet("train", "The training", about + note, code)


def _next_token(state: State, ids: list[int], recipe: Recipe, last: tuple[int, int], note: str) -> Snippet:
    row, place = last
    code = training_loop(state, ids, recipe)
    names = "tokens"
    if by_words(state):
        names = "words"
        code += 'words = ["<pad>", *words, "<unk>", "<sos>", "<eos>"]  # by row\n'
    else:
        others = ", ".join(map(str, spare(sorted(set(ids)))))
        code += f"tokens = [-1, *tokens.tolist(), {others}]  # IDs by row, -1 for <pad>\n"
    code += (
        f"row, place = {row}, {place}  # of the last token of the prompt\n"
        "window = torch.full((1, place + 1), row)  # [1, T]; the model sees the last token and its place only\n"
        "before, after = (each(window)[0, place].softmax(dim=0).detach() for each in (start, model))  # each [V]\n"
        "for best in after.argsort(descending=True, stable=True)[:5].tolist():\n"
        f'    print(best, {names}[best], f"before {{before[best]:.4f}}, after {{after[best]:.4f}}")\n'
    )
    about = (
        "What the model says comes next after the prompt: the probability of each token, before training and after. "
        "Without attention it sees the last token and its place, and nothing else."
    )
    return Snippet("next_token", "What it says next", about + note, code)
