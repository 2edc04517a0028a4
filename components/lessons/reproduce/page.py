"""The page of the lesson Reproduce: published results beside the same results computed here."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

import streamlit as st

from components.base.link import State
from components.base.presets import PUBLISHED
from components.base.text_format import true_minus
from components.lessons.reproduce.published import PublishedResult, published_results
from components.ui.blocks import notice, show_table
from components.ui.download_registry import register
from components.ui.sections import section

STORY = PUBLISHED["story_batch"]
SHOWN = {"Text vocabulary": 2, "Combined batch": 7}  # the index of the result that stands for its topic, else 0
SOURCED = ("Toy table", "Story batch")
SOURCES = (
    "✓: all printed digits agree, 4 decimals; ≠: not all do. Toy table and story batch: Raschka, *Build a Large "
    f"Language Model (From Scratch)*, [chapter 2]({STORY['source']}). The other results were printed in public "
    "notebooks whose addresses were not recorded. The shapes are documented in "
    "[torch.nn.Embedding](https://docs.pytorch.org/docs/stable/generated/"
    "torch.nn.Embedding.html), the sinusoidal positions in [Vaswani et al. (2017), section 3.5]"
    "(https://arxiv.org/abs/1706.03762)."
)


def render(state: State) -> None:
    has_story = len(state.text) == STORY["characters"]
    results = published_results(state.text if has_story else "")
    topics = {title: list(group) for title, group in groupby(results, key=lambda result: result.topic)}
    show_table([line for title, group in topics.items() for line in summary(title, group)])
    st.markdown(f":small[{SOURCES}]")
    conclude(results)
    for title, group in topics.items():
        if len(group) > 2:
            needs_story = title == "Story batch" and not has_story
            section(f"**{title}**: all {len(group)} results", show_group, group, needs_story)
    register(lambda: {"results": [asdict(result) for result in results]})


def show_group(group: Sequence[PublishedResult], needs_story: bool) -> None:
    show_table([row(result, result.what) for result in group])
    if needs_story:
        st.info(
            "The whole story, *The Verdict* by Edith Wharton (1908, public domain), should give "
            f"{STORY['gpt2_tokens']:,} GPT-2 tokens. Paste its {STORY['characters']:,} characters as your text on "
            "another page, and the result appears here.",
            icon=":material/menu_book:",
        )


def summary(title: str, results: Sequence[PublishedResult]) -> Iterator[dict[str, str]]:
    """Yield the result that stands for a topic, and those which were published incorrectly."""
    shown = results[SHOWN.get(title, 0)]
    for result in results:
        if result is shown or result.note:
            several = f" ({n_agreeing(results)} agree)" if len(results) > 2 else ""
            yield row(result, f"{title}: {result.what}{' (published incorrectly)' if result.note else several}")


def row(result: PublishedResult, name: str) -> dict[str, str]:
    published, computed = (" ".join(map(true_minus, text.split(" "))) for text in (result.published, result.computed))
    mark = "✓" if result.agrees else "≠"
    return {"result": name, "published": published, "computed here": f"{computed} {mark}"}


def n_agreeing(results: Iterable[PublishedResult]) -> str:
    """Return how many of the results agree, without those which were published incorrectly."""
    correct = [result for result in results if not result.note]
    return f"{sum(result.agrees for result in correct)} of {len(correct)}"


def conclude(results: Iterable[PublishedResult]) -> None:
    sourced = sum(result.topic in SOURCED for result in results)
    sentences = [
        f"{n_agreeing(results)} published results are computed here to the last printed digit; {sourced} of them can "
        "be compared with their source."
    ]
    for wrong in (result for result in results if result.note):
        sentences.append(
            f"One more, whose source was not recorded, is incorrect: {wrong.published} is {wrong.note}, so the "
            f"norm is {wrong.computed}."
        )
    notice(sentences)
