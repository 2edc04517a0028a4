"""Figures of the toy model: a text of 5,000 tokens, D = 64, and what another session notices meanwhile:

python -m tests.bench.training
"""

import asyncio
import random
import statistics
import time

import torch

from components.text.vocabulary import Vocabulary
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import training_text
from tests.bench.learners import open_page
from tests.bench.servers import percentile
from tests.e2e.server_processes import running_server
from tests.e2e.websocket_client import Visitor, visitor

TOKENS, KINDS, DIM, STEPS, LONG = 5_000, 1_400, 64, 200, 2_000
PAUSE = 0.2  # seconds between two reruns of the other session
SECONDS_TO_WARM_UP = 6
SIZES = {"context_length": 16, "stride": 16, "batch_size": 8}
QUERY = "&".join(f"{name}={value}" for name, value in {"tokenizer": "words", "dim": DIM, **SIZES}.items())


def made_up_text() -> str:
    """Return TOKENS words, some frequent and most rare, as in a text."""
    draw = random.Random(1)
    words = [f"w{rank}" for rank in range(1, KINDS + 1)]
    return " ".join(words + draw.choices(words, [1 / rank for rank in range(1, KINDS + 1)], k=TOKENS - KINDS))


def core_seconds(text: str, optimizer: str) -> float:
    """Return the seconds that STEPS steps take without a page around them."""
    vocabulary = Vocabulary.from_text(text)
    windows = training_text(vocabulary.encode(text), SIZES["context_length"], SIZES["stride"])
    training = RecordedTraining(windows, TrainingConfig(dim=DIM, batch_size=SIZES["batch_size"], optimizer=optimizer))
    start = time.perf_counter()
    training.advance(STEPS, 60)
    return time.perf_counter() - start


async def train_on(who: Visitor, text: str, steps: int) -> float:
    """Type a text on the training page that is to be trained for `steps`; return the seconds until it is."""
    page = await who.open("training", f"{QUERY}&train_steps={steps}")
    button = next(widget.id for kind, widget in page.widgets if kind == "button" and widget.id.endswith("panel_text"))
    opened = await who.change((button, "trigger_value", True))
    entry = next(widget.id for kind, widget in opened.widgets if kind == "text_area")
    start = time.perf_counter()
    answer = await who.change((entry, "string_value", text))
    arrived = finished = False
    while not finished:
        for part in answer.parts:
            element = part.delta.new_element
            arrived = arrived or f"are {KINDS:,} tokens of your text" in element.markdown.body
            finished = finished or (arrived and element.progress.text == f"Step {steps:,} of {steps:,}")
        if not finished:  # the page runs again of its own accord
            answer = await who.listen()
    return time.perf_counter() - start


async def reruns(who: Visitor, until: asyncio.Task | None = None, count: int = 40) -> list[float]:
    """Move V on the lookup page again and again, `count` times or for as long as a task lasts; return the seconds."""
    seconds = []
    while not until.done() if until else len(seconds) < count:
        seconds.append(await open_page(who, "lookup", f"vocab_size={1_000 + len(seconds)}&dim={DIM}"))
        await asyncio.sleep(PAUSE)
    return seconds


async def measure(address: str, text: str) -> tuple[float, list[float], list[float]]:
    """Return the seconds of STEPS steps on the page, and another session's reruns alone and during LONG steps."""
    async with visitor(address) as first, visitor(address) as second:
        await open_page(second, "lookup", "")
        await asyncio.sleep(SECONDS_TO_WARM_UP)
        alone = await reruns(second)
        page = await train_on(first, text, STEPS)
        async with visitor(address) as third:
            training = asyncio.create_task(train_on(third, text, LONG))
            meanwhile = await reruns(second, training)
    return page, alone, meanwhile


def main() -> None:
    """Measure and print one table."""
    text = made_up_text()
    print(f"| {TOKENS:,} tokens, D = {DIM}, {torch.get_num_threads()} threads | |\n| --- | --- |")
    for optimizer in ("sgd", "adamw"):
        print(f"| {STEPS} steps, {optimizer}, core alone | {core_seconds(text, optimizer):.2f} s |", flush=True)
    with running_server() as server:
        page, alone, meanwhile = asyncio.run(measure(server.address, text))
    print(f"| {STEPS} steps on the page, from text to drawn | {page:.2f} s |")
    for name, seconds in (("alone", alone), (f"while {LONG:,} steps are trained", meanwhile)):
        p95 = percentile(seconds, 95) * 1000
        print(
            f"| another session's rerun {name}: median, 95th percentile of {len(seconds)} "
            f"| {statistics.median(seconds) * 1000:.0f} ms, {p95:.0f} ms |"
        )


if __name__ == "__main__":
    main()
