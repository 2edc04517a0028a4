"""What to notice in the figures of the lesson on attention, with the numbers of the screen."""

from components.base.text_format import pluralize
from components.figures.cells import number
from components.lessons.attention.choices import Choices
from components.lessons.attention.hands import Placed, signed_offset
from components.lessons.attention.reading import Reading
from components.ui.blocks import notice

ADDED = "GPT-2 and the first Transformer add positions; most recent models rotate queries and keys instead."
OFF = "Position embeddings are off in All settings, so nothing is added."
MASK_ALONE = (
    "With a causal mask alone an output depends on which tokens come before it, in one layer not on their order."
)


def notice_weights(
    reading: Reading, names: list[str], query: int, choices: Choices, changes: tuple[float, float] | None
) -> None:
    """Show what the weights have in numbers; `changes` are those by a shuffle, None as long as they are masked."""
    weights = reading.steps.weights[query]
    most, n_read = int(weights.argmax()), query + 1 if choices.causal else len(names)
    sentences = [
        f"{names[query]} at position {query} mixes {pluralize(n_read, 'value row')} of {len(names)}, "
        f"most of {names[most]} (weight {weights[most]:.2f}); the head is random, so its weights mean "
        "nothing."
    ]
    if changes:
        sentences.append(
            f"Shuffled, no output changes by more than {changes[0]:.7f} without mask and positions, which is rounding; "
            f"as chosen here, by up to {changes[1]:.4f}."
        )
    kind = choices.attention_positions
    sentences.append(MASK_ALONE if kind == "none" else OFF if kind == "added" and reading.position is None else ADDED)
    notice(sentences)


def notice_hands(placed: list[Placed], causal: bool) -> None:
    """Show what the clock hands have in numbers."""
    now, later, exchanged = placed
    scores = [number(each.terms.sum().item(), 4) for each in placed]
    text = (
        f"A query at {now.m} and a key at {now.n} have the score {scores[0]}, at {later.m} and {later.n} {scores[1]}: "
        f"it depends on the signed offset {signed_offset(now.n - now.m)} alone. Exchanged, the offset is "
        f"{signed_offset(exchanged.n - exchanged.m)} and the score {scores[2]}."
    )
    if causal:
        text += " With the causal mask no query reads a later key, so only offsets up to 0 occur."
    notice([text])
