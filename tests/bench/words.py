"""Figures of word vectors, 400,000 words of 50 numbers, made up on the spot:

python -m tests.bench.words
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np

from components.vectors.analogies import analogy
from components.vectors.load import convert, load_vectors
from tests.bench.learners import open_page
from tests.e2e.server_processes import Server, running_server
from tests.e2e.websocket_client import visitor

WORDS, DIM, TOP, QUESTIONS, SESSIONS = 400_000, 50, 10, 41, 20
SECONDS_TO_WARM_UP = 6  # by then all libraries have been imported in the background
NAME = "glove-wiki-gigaword-50"
QUERY = f"vectors={NAME}&word_a=w1&word_b=w2&word_c=w3"


def write_text(path: Path) -> None:
    """Write made-up vectors in word2vec's text format."""
    rows = np.random.default_rng(1).normal(size=(WORDS, DIM)).astype(np.float32)
    with path.open("w") as file:
        file.write(f"{WORDS} {DIM}\n")
        for i, row in enumerate(rows):
            file.write(f"w{i} {' '.join(f'{x:.5f}' for x in row)}\n")


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare(matrix: np.ndarray, norms: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the TOP nearest rows by one product of the matrix with a vector, and nothing else."""
    cosines = matrix @ target / norms
    top = np.argpartition(cosines, -TOP)[-TOP:]
    return top[np.argsort(-cosines[top])]


async def memory(server: Server) -> list[float]:
    """Return the server's memory in MB with one and with twenty sessions on the page, all still open."""
    async with AsyncExitStack() as sessions:
        first = await sessions.enter_async_context(visitor(server))
        await open_page(first, "word2vec", QUERY)
        await asyncio.sleep(SECONDS_TO_WARM_UP)
        one = server.process.memory_full_info()
        others = [await sessions.enter_async_context(visitor(server)) for _ in range(SESSIONS - 1)]
        await asyncio.gather(*(open_page(other, "word2vec", QUERY) for other in others))
        twenty = server.process.memory_full_info()
    return [one.rss / 1e6, one.uss / 1e6, twenty.rss / 1e6, twenty.uss / 1e6]


def main() -> None:
    """Measure and print one table."""
    with tempfile.TemporaryDirectory() as folder:
        text, native = Path(folder, "words.txt"), Path(folder, f"{NAME}.kv")
        write_text(text)
        print(f"| {WORDS:,} words x {DIM} | |\n| --- | --- |")
        print(f"| first load, from text | {seconds(lambda: load_vectors(text)):.1f} s |", flush=True)
        print(f"| conversion | {seconds(lambda: convert(text, native)):.1f} s |", flush=True)
        print(f"| reopened, memory-mapped | {seconds(lambda: load_vectors(native)) * 1000:.0f} ms |", flush=True)
        vectors = load_vectors(native)
        matrix, norms = np.array(vectors.vectors), np.array(vectors.norms)
        asked, alone = [], []
        for i in range(QUESTIONS):
            a, b, c = (f"w{n}" for n in (3 * i, 3 * i + 1, 3 * i + 2))
            target = vectors.get_mean_vector([a, b, c], weights=[1.0, -1.0, 1.0])
            alone.append(seconds(lambda target=target: bare(matrix, norms, target)))
            asked.append(seconds(lambda a=a, b=b, c=c: analogy(vectors, [a, c], [b], TOP)))
        ours, plain = statistics.median(asked) * 1000, statistics.median(alone) * 1000
        print(f"| one analogy, median of {QUESTIONS} | {ours:.1f} ms |")
        print(f"| one product of matrix and vector with its top {TOP}, median | {plain:.1f} ms |")
        print(f"| ratio | {ours / plain:.2f} |", flush=True)
        with running_server(env={"EMBEDDING_LAB_CACHE": folder}) as server:
            one, one_alone, twenty, twenty_alone = asyncio.run(memory(server))
        print(f"| server memory, one session | {one:.0f} MB, {one_alone:.0f} MB of it its own |")
        print(f"| server memory, {SESSIONS} sessions | {twenty:.0f} MB, {twenty_alone:.0f} MB of it its own |")


if __name__ == "__main__":
    main()
