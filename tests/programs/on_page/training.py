import re
from html import unescape

from components.base.learner_text import isolated, visible
from components.base.link import to_query
from components.base.settings import Settings
from components.caches.encoding import tokenizer
from tests.app_driver import AppDriver
from tests.programs.labels import as_printed, matches, only, opening, tensors_of
from tests.states import app_state, token_ids
from tests.varied_states import HOSTILE_TEXTS

CATS = "red cat red dog red cat red fish red cat red dog blue"
LONG = "The quick brown fox, number 7, jumps over the lazy dog while 34 others sleep: nobody cares about it. " * 3
ALL_WINDOWS = {"learning_rate": 0.03, "one_window": False}
STATES = {
    "momentum": app_state(
        Settings(position="learned"), CATS, train_steps=60, optimizer="momentum", prompt="a red cat red blue dog"
    ),
    "adam": app_state(Settings(tokenizer="words", batch_size=3), CATS, **ALL_WINDOWS, train_steps=30, optimizer="adam"),
    "adamw": app_state(Settings(stride=3, position="none"), LONG, **ALL_WINDOWS, train_steps=40, optimizer="adamw"),
    "tied": app_state(Settings(tokenizer="words"), CATS, train_steps=25, tied=True, token_std="1", prompt="zebra"),
    "tied and padded": app_state(
        Settings(context_length=5, stride=9), LONG, train_steps=12, tied=True, optimizer="adamw"
    ),
    "right to left": app_state(Settings(tokenizer="words"), "שלום עולם שלום כתה שלום עולם", train_steps=20),
    "one": app_state(Settings(context_length=1, stride=1, dim=1), HOSTILE_TEXTS[1], train_steps=1, padding_idx=False),
    "cut": app_state(Settings(tokenizer="words"), "red cat blue dog " * 3_000 + "zebra", train_steps=2, prompt="zebra"),
    "out of range": app_state(train_steps=4, learning_rate=1e6),
    "far from the start": app_state(train_steps=7, learning_rate=1e6, optimizer="adam"),
    "diverged": app_state(train_steps=50, learning_rate=1e6),
    "press": app_state(
        text="one two three four five six seven", train_more=7, optimizer="adam"
    ),  # no pair to ask about
}


def names_in_program(app: AppDriver) -> dict[str, str]:
    """Return how the program writes the name that a row has on the page."""
    encoder, used = tokenizer(app.state.settings.tokenizer, app.state.text), set(token_ids(app.state))
    unused = [i for i in range(1, len(used) + 4) if i not in used]
    found = {visible(encoder.token_bytes(i)): f"unused ID {i}" for i in unused[:3]}
    tokens = (encoder.token_bytes(i) for i in used)
    found |= {visible(token): token.decode(errors="backslashreplace") for token in tokens} | {"<pad>": "<pad>"}
    return found | {isolated(name): text for name, text in found.items()}  # as in sentences


def shown(app: AppDriver) -> dict:
    if not app.state.choices.train_steps:  # the program takes the steps of one press
        steps = {"train_steps": app.state.choices.train_more}
        return shown(AppDriver().open("training", **to_query(app.app_state) | steps).open_sections())
    tensors, names = tensors_of(app), names_in_program(app)
    table = only(r"W (\[[\d,]+, \d+\])\]", app)[0]
    uniform, entropy = only(r"ln V = ([\d.]+) is the loss", app)[0], only(r"The dashed level, ([\d.]+)", app)[0]
    first, last, steps = only(r"The loss was (\S+?) in the first step(?: and (\S+) in step ([\d,]+))?\.", app)
    found = opening(app, with_ids=False) | {
        "inputs": f"{list(tensors['inputs'].shape)}\n{as_printed(tensors['inputs'])}",
        "targets": tensors["targets"],
        "token embedding table [V, D]": table,
        "ln V": uniform,
        "conditional entropy of the target given the current token": entropy,
        "number of steps": steps or "1",
        "loss of the first and the last step": f"{first}, {last or first}",
    }
    for mean_loss, entropy in matches(r"it is now (\S+); a model that .* get below (\S+) there", app):
        found["mean loss over all windows now"] = mean_loss
        found["conditional entropy of the target given the current token"] = entropy
        found |= rows_shown(app, names) | prediction_shown(app, names)
    return found


def rows_shown(app: AppDriver, names: dict[str, str]) -> dict:
    """Return what the page has on the rows: its figure, its notice and its charts."""
    batch = r"It looked up (.*)\. ([\d,]+) of [\d,]+ rows changed,"
    looked_up, changed = re.search(batch, app.learner.outputs.figure.reading).groups()
    rows = r"(?!1 )[\d,]+ rows that were looked up"
    several = rf"(?:(?!1 )[\d,]+ of )?the {rows} have"
    one = rf"only (?:the row that was looked up has|1 of the {rows} has|{several}) a gradient[.,]"
    said = rf"changed ([\d,]+) of the V = [\d,]+ rows: (?:{one}|the table is also)"
    assert only(said, app)[0] == changed
    alike = r"“(.*)” and “(.*)” are now most alike: .* rows was (\S+) at the start and is (\S+) after"
    first, second, at_start, now = only(alike, app)
    pair = f"{names[first]!r} and {names[second]!r}"
    found = {
        "looked up in the last step": str(
            [names[name] for name in re.sub(r" and \d+ more$", "", looked_up)[1:-1].split("”, “")]
        ),
        "rows that the last step changed": changed,
        "rows with a gradient of exactly 0": only(r": ([\d,]+) rows? ha(?:s|ve) exactly 0", app)[0],
        "rows unchanged since the start": only(r"; ([\d,]+) unchanged;", app)[0],
        "most alike": f"{pair}, cosine similarity {at_start} at the start, {now} now",
    }
    readouts = re.findall(
        r'class="readout" data-column="(\d+)"[^>]*>“(.*?)”, row \1: in', app.learner.outputs.figure.drawing
    )
    gradients, distances = app.drawn("norm")
    for (row, name), gradient, distance in zip(readouts, gradients, distances, strict=True):
        assert gradient["row"] == distance["row"] == f"{distances.index(distance)}|{unescape(name)}"
        norms = f"gradient norm {gradient['norm']:.4f}, distance from the start {distance['norm']:.4f}"
        found[f"row {row}"] = f"{names[unescape(name)]!r}, {norms}"
    return found


def prediction_shown(app: AppDriver, names: dict[str, str]) -> dict:
    """Return what the page has on the token after the prompt: nothing if the prompt ends with an unknown token."""
    found = {}
    for last, t in matches(r"After “(.*)” at position (\d+), the most", app):
        found["the model is given"] = f"{names[last]!r} at position {t}"
        bars = [[bar["share"] for bar in bars] for bars in zip(*[iter(app.drawn("share")[0])] * 3, strict=True)]
        tokens = [bar["token"].split("|", 1)[1] for bar in app.drawn("share")[0][::3]]
        for token, (before, after, in_text) in [*zip(tokens, bars, strict=True)][:5]:
            shares = f"before {before:.4f}, after {after:.4f}, observed {in_text:.4f}"
            found[f"{names[token]!r} is next"] = shares
    return found
