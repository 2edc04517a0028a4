"""The page of the lesson Reproduce: published results beside the same results computed here."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from components.base.link import State
from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import PublishedResult, Topic, by_topic, published_results
from components.ui.blocks import notice, section, show_table
from components.ui.download_registry import register

STORY = PUBLISHED["story_batch"]
SOURCES = (
    "✓: all printed digits agree, 4 decimals. Toy table and story batch: Raschka, *Build a Large Language Model (From "
    f"Scratch)*, [chapter 2]({STORY['source']}). The other results were printed in public notebooks whose addresses "
    "were not recorded. Documented are the shapes, in [torch.nn.Embedding](https://docs.pytorch.org/docs/stable/generated/"
    "torch.nn.Embedding.html), and the sinusoidal positions, in [Vaswani et al. (2017), section 3.5]"
    "(https://arxiv.org/abs/1706.03762)."
)


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return no values: the published results do not depend on the learner."""
    return {}


def render(state: State) -> None:
    has_story = len(state.text) == STORY["characters"]
    results = published_results(state.text if has_story else "")
    topics = by_topic(results)
    show_table([row for topic in topics for row in summary(topic)])
    st.markdown(f":small[{SOURCES}]")
    conclude(results)
    for topic in topics:
        if len(topic.results) > 2 and (part := section(*heading(topic))):
            with part:
                show_all(topic.results)
                if topic.title == "Story batch" and not has_story:
                    ask_for_story()
    register(lambda: {"results": [asdict(result) for result in results]})


def summary(topic: Topic) -> Iterable[dict[str, str]]:
    """Yield the result that stands for a topic, and those which were published incorrectly."""
    for result in topic.results:
        if result is topic.shown or result.note:
            yield {
                "result": f"{topic.title}: {result.what}",
                "published": result.published,
                "computed here": computed(result),
                "agree": "incorrect" if result.note else topic.agreeing,
            }


def computed(result: PublishedResult) -> str:
    """Return what was computed, with a tick if all printed digits agree."""
    return f"{result.computed} {'✓' if result.agrees else '✗'}"


def conclude(results: Iterable[PublishedResult]) -> None:
    """Show how many results agree, and why one does not."""
    correct = [result for result in results if not result.note]
    agree = sum(result.agrees for result in correct)
    sentences = [f"{agree} of {len(correct)} published results are computed here to the last printed digit."]
    for wrong in (result for result in results if result.note):
        sentences.append(f"{wrong.published} is {wrong.note}, so the norm is {wrong.computed}.")
    notice(sentences)


def heading(topic: Topic) -> tuple[str, str]:
    """Return the title and the name of the section with all results of a topic."""
    return f"**{topic.title}**: all {len(topic.results)} results", topic.title.lower().replace(" ", "_")


def show_all(results: Iterable[PublishedResult]) -> None:
    show_table(
        [
            {
                "result": result.what.replace("_", "_\u200b"),  # long names may wrap there
                "published": result.published,
                "computed here": computed(result),
            }
            for result in results
        ]
    )


def ask_for_story() -> None:
    """Show which text gives one more result."""
    st.info(
        f"The whole story ({STORY['text'].split(':')[0]}) should give {STORY['gpt2_tokens']:,} GPT-2 tokens. "
        f"Paste its {STORY['characters']:,} characters as your text, and the result appears here.",
        icon=":material/menu_book:",
    )
