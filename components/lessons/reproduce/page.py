"""The page of the lesson Reproduce: published results beside the same results computed here."""

from dataclasses import asdict
from itertools import groupby

import streamlit as st

from components.base.link import State
from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import published_results
from components.ui.blocks import show_table
from components.ui.download_registry import register


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    story = PUBLISHED["story_batch"]
    whole_story = state.text if len(state.text) == story["characters"] else ""
    results = published_results(whole_story)
    correct = [result for result in results if not result.note]
    agree = sum(result.agrees for result in correct)
    columns = st.columns(3)
    columns[0].metric("Published results that agree", f"{agree} of {len(correct)}")
    columns[1].metric("Published but incorrect", len(results) - len(correct))
    columns[2].metric("Digits compared", "4 decimals")
    st.markdown(
        "The toy table and the story batch were printed in Sebastian Raschka's *Build a Large Language Model (From "
        "Scratch)*, chapter 2; the other figures come from public notebooks on embeddings. The column *computed* was "
        "computed by this server with the code of the lessons. ✓ means that all printed digits agree."
    )
    for topic, group in groupby(results, key=lambda result: result.topic):
        st.header(topic, anchor=False)
        rows = [
            {
                "what": (f"{result.what} ({result.note})" if result.note else result.what).replace("_", "_\u200b"),
                "published": result.published,
                "computed": f"{'✓' if result.agrees else '✗'} {result.computed}",
            }
            for result in group
        ]
        show_table(rows)
        if topic == "Story batch" and not whole_story:
            st.info(
                f"The whole story ({story['text'].split(':')[0]}) should give {story['gpt2_tokens']:,} GPT-2 tokens. "
                f"Paste its {story['characters']:,} characters as your text, and the result appears here.",
                icon=":material/menu_book:",
            )
    register(lambda: {"results": [asdict(result) for result in results]})
