"""What both notebooks of the bench show: the journey, computed by the app's core and drawn by its charts."""

import altair as alt

from components.base.learner_text import visible
from components.base.settings import Settings
from components.charts.heatmap import heatmap, shared_bound
from components.embedding.walkthrough import walk
from components.lessons.combine.charts import broadcast_chart
from components.text.batches import make_batch
from components.text.token_ids import out_of_range
from components.text.tokenizers import get_tokenizer
from components.ui.encoding import token_ids
from components.ui.tables import tables
from tests.vega import altair_chart

V_STEPS = [6, 100, 1_000, 10_000, 32_000, 50_257, 100_277]
D_STEPS = [1, 2, 3, 4, 8, 12, 16, 32, 64, 128, 160]
SHOWN = ["table", "token", "position", "combined"]
TOKENS, ROWS, COLUMNS = 40, 12, 16  # at most on the screen, as on the app's page


def journey(text: str, settings: Settings, shown: str) -> tuple[str, list[alt.Chart]]:
    """Return the steps from text to sum as Markdown, and two charts; or a sentence on what cannot work, and none."""
    tokenizer = get_tokenizer("gpt2")
    tokens = token_ids("gpt2", text)
    try:
        ids = make_batch(tokens, settings)  # [B, T]
    except ValueError as error:
        return str(error), []
    problem = out_of_range(ids.flatten().tolist(), settings.vocab_size)
    if problem:
        return problem, []
    drawn = tables(settings)
    steps = walk(ids, settings, drawn)
    token, position, combined = (steps[name] for name in ("token", "position", "combined"))
    table = drawn.token.weight.detach()[: settings.context_length]
    values = {"table": table, "token": token[0], "position": position, "combined": combined[0]}
    bound = shared_bound(*(value[:ROWS, :COLUMNS].numpy() for value in values.values()))
    part = values[shown][:ROWS, :COLUMNS].numpy()
    names = [f"{visible(tokenizer.token_bytes(i))} {i}" for i in ids[0, : len(part)].tolist()]
    if shown in ("table", "position"):
        names = [f"row {row}" for row in range(len(part))]
    heat = heatmap(part, names, [str(row) for row in range(len(part))], bound, f"{shown}[{{row}}, {{column}}]")
    chips = " ".join(f"`{visible(tokenizer.token_bytes(i))}`" for i in tokens[:TOKENS].tolist())
    lines = [f"**{len(tokens):,} tokens** {chips}"]
    lines += [f"**{name}** {list(step.shape)}" for name, step in steps.items()]
    lines.append(f"### {token[0, 0, 0]:.4f} + {position[0, 0]:.4f} ≈ **{combined[0, 0, 0]:.4f}**")
    return "\n\n".join(lines), [altair_chart(heat), altair_chart(broadcast_chart(*combined.shape))]
