"""Reproduce: published results beside the same results computed on this machine."""

from dataclasses import asdict
from itertools import groupby

import streamlit as st

from components.ui.frame import frame


def lesson(state):
    """Tell the lesson from top to bottom."""
    story = PUBLISHED["story_batch"]
    whole_story = state.text if len(state.text) == story["characters"] else ""
    checks = all_checks(whole_story)
    right = [check for check in checks if not check.note]
    agree = sum(check.agrees for check in right)
    columns = st.columns(3)
    columns[0].metric("Published results that agree", f"{agree} of {len(right)}")
    columns[1].metric("Published, and wrong", len(checks) - len(right))
    columns[2].metric("Digits compared", "4 decimals")
    st.markdown(
        "The toy table and the story batch were printed in Sebastian Raschka's *Build a Large Language Model (From "
        "Scratch)*, chapter 2; the other figures come from public notebooks on embeddings. The column *computed* comes "
        "from this machine, computed since its server was started, through the code of the lessons. A tick stands only "
        "where all printed digits agree."
    )
    for topic, group in groupby(checks, key=lambda check: check.topic):
        st.header(topic, anchor=False)
        rows = [
            {
                "what": (f"{check.what} ({check.note})" if check.note else check.what).replace("_", "_\u200b"),
                "published": check.published,
                "computed": f"{'✓' if check.agrees else '✗'} {check.computed}",
            }
            for check in group
        ]
        table_of(rows)
        if topic == "Story batch" and not whole_story:
            st.info(
                f"The whole story ({story['text'].split(':')[0]}) should give {story['gpt2_tokens']:,} GPT-2 tokens. "
                f"Paste its {story['characters']:,} characters as your text, and the check appears here.",
                icon=":material/menu_book:",
            )
    offer(lambda: {"results": [asdict(check) for check in checks]})
    text_reminder(state)


with frame("reproduce") as state:
    from components.core.presets import PUBLISHED
    from components.core.published import all_checks
    from components.ui.blocks import table_of
    from components.ui.offers import offer
    from components.ui.text_entry import text_reminder

    lesson(state)
