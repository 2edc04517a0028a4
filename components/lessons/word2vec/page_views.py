"""The views of word vectors: methods for analogies, neighbors, similarity, a map, and two tests."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.base.field_types import quote
from components.base.limits import MAX_WORDS_DRAWN
from components.base.text_format import first_few, percent, pluralize
from components.caches.turns import training_turn
from components.embedding.projection import project
from components.figures.cells import number
from components.lessons.word2vec.charts import map_chart, matrix_chart, ranking_chart
from components.lessons.word2vec.choices import HERE, METHODS, VIEWS, Choices
from components.lessons.word2vec.page_files import session_vectors
from components.lessons.word2vec.trained import known_inputs, training_key
from components.ui.blocks import option_buttons, show_chart, show_error, show_table
from components.ui.markdown import escape_markdown
from components.ui.presentation import WHOLE_LINE
from components.ui.quiz import answer_first
from components.ui.session import current
from components.ui.state import bind_choice, change_choices, register_widget
from components.vectors.analogies import (
    TIE_TOLERANCE,
    analogy,
    has_direction,
    nearest_spellings,
    rank_of,
    similarities,
    starts_with,
    unanswerable,
    unknown_word,
)
from components.vectors.analogy_gallery import PEOPLE, POPULAR_ANALOGIES, AnalogyResult, run_analogies
from components.vectors.analogy_questions import MAX_WORDS, Score, score, sections, totals

ANSWERS_SHOWN = 8
NEIGHBORS_SHOWN = 12
PAIRS_SHOWN = 100
WORDS_OFFERED, WORDS_NAMED = 6, 8
ABOUT_METHODS = (
    "3CosAdd takes the word nearest to the sum of unit vectors (Mikolov et al., 2013). 3CosMul multiplies and divides "
    "cosines instead, shifted from −1…1 to 0…1 first (Levy and Goldberg, 2014); its score may be above 1."
)


def show_views(vectors: KeyedVectors, choices: Choices, masked: bool) -> None:
    """Render a button for each view, and the chosen one unless it gives away what the figure masks."""
    if choices.shown == "step":
        st.caption(
            f"Those of the film and the analogy, with D = {vectors.vector_size}; the rows of the step have 2 numbers "
            "and were trained separately."
        )
    views = [view for view in VIEWS if view != "analogy" or choices.shown == "analogy"]
    bound = register_widget("word2vec_view", choices.shown_view, lambda view: change_choices(view=view), "default")
    st.segmented_control("View", views, format_func=VIEWS.get, required=True, **bound)
    if masked and (choices.shown == "film" or choices.view in ("analogy", "gallery")):  # of a film any view
        answer_first()
        return
    views = (methods_view, neighbors_view, similarity_view, map_view, gallery_view, questions_view)
    view = dict(zip(VIEWS, views, strict=True))[choices.shown_view]
    view(vectors, choices)


def word_field(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    st.text_input(label, **bind_choice(name))
    suggest_words(label, name, vectors, value)


def suggest_words(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Offer words instead of one that has no vector: similar ones, else the default inputs and frequent words."""
    suggestions = []
    if value and value not in vectors:
        similar = starts_with(vectors, value, 4) or nearest_spellings(vectors, value)
        usual = [word for word in Choices().inputs if word in vectors]
        suggestions = similar or [*dict.fromkeys([*usual, *vectors.index_to_key])][:WORDS_OFFERED]
    bound = register_widget(f"offer_{name}", None, lambda word: word and change_choices(**{name: word}), "default")
    # Always rendered, so that what is below keeps the focus; suggestions have a line of their own.
    with st.container(width=WHOLE_LINE if suggestions else "stretch"):
        if suggestions:
            look = {"format_func": escape_markdown, "label_visibility": "collapsed", "wrap": True}
            st.pills(f"Did you mean, for {label}", suggestions, **look, **bound)


def methods_view(vectors: KeyedVectors, choices: Choices) -> None:
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    with left:
        word_field("Expected word", "expected", vectors, choices.expected.strip())
    with right:
        option_buttons("Method", "method", METHODS, help=ABOUT_METHODS)
    a, b, c = known_inputs(vectors, choices)
    if unanswerable(vectors, a, b, c):
        st.caption("There is no answer to compare.")
        return
    st.caption(escape_markdown(f"a − b + c is {a} − {b} + {c} here."))
    title = "cosine similarity to a − b + c" if choices.method == "add" else "score of 3CosMul"
    for column, include in zip(st.columns(2, gap="medium"), (True, False), strict=True):
        with column:
            ranked = analogy(vectors, [a, c], [b], ANSWERS_SHOWN, include_inputs=include, method=choices.method)
            st.header(f"Input words {'included' if include else 'excluded'}", anchor=False)
            first = ", ".join(f"{rank}. {word} {number(score, 4)}" for rank, (word, score) in enumerate(ranked[:2], 1))
            gray = " Gray: one of the inputs." if include else ""
            show_chart(ranking_chart(ranked, (a, b, c), title), f"{first}.{gray}")
    show_rank(vectors, choices, a, b, c)


def show_rank(vectors: KeyedVectors, choices: Choices, a: str, b: str, c: str) -> None:
    word = choices.expected.strip()
    if not word:
        return
    if problem := unknown_word(vectors, [word]):
        st.caption(escape_markdown(problem))
        return
    rank = rank_of(vectors, [a, c], [b], word, choices.method)
    score = "cosine similarity" if choices.method == "add" else "score of 3CosMul"
    as_input = ". It is an input itself." if word in (a, b, c) else f", rank **{rank.excluded:,}** with them excluded."
    equal = " Equally near words are counted before it." * rank.is_shared
    st.markdown(
        f"**{escape_markdown(word)}** among {len(vectors):,} words: {score} **{number(rank.score, 4)}**, rank "
        f"**{rank.included:,}** with input words included{as_input}{equal}"
    )


def neighbors_view(vectors: KeyedVectors, choices: Choices) -> None:
    word = choices.near.strip()
    word_field("Word", "near", vectors, word)
    if problem := unknown_word(vectors, [word]):
        show_error(problem)
        return
    ranked = vectors.most_similar(word, topn=NEIGHBORS_SHOWN)
    if not ranked:
        show_error(f"{quote(word)} is the only word here and has no neighbors: choose vectors with more words.")
        return
    show_chart(
        ranking_chart(ranked),
        f"Nearest to {word}: " + ", ".join(f"{w} {number(score, 4)}" for w, score in ranked[:5]) + ".",
    )
    st.markdown(
        "**What to notice.** Words have a high cosine similarity if they occur in similar contexts, so opposites are "
        "often neighbors. A negative cosine does not mean opposite. In word2vec and GloVe spelling plays no role."
    )


def similarity_view(vectors: KeyedVectors, choices: Choices) -> None:
    words = words_field(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a matrix.")
        return
    values = similarities(vectors, words)
    pairs = sorted((values[r, c], words[c], words[r]) for r in range(len(words)) for c in range(r))
    low, high = pairs[0], pairs[-1]
    least, most = number(low[0], 4), number(high[0], 4)
    reading = f"Most alike: {and_equal(pairs, high)}, {most}. Least alike: {and_equal(pairs, low)}, {least}."
    if len(pairs) == 1:
        reading = f"The cosine similarity of {and_equal(pairs, high)} is {most}."
    elif least == most:
        reading = f"All pairs are equally alike: {most}."
    show_chart(matrix_chart(words, values), reading)
    with st.expander(f"{pluralize(len(pairs), 'pair')}, most alike first", icon=":material/compare_arrows:"):
        ordered = pairs[::-1][:PAIRS_SHOWN]
        show_table([{"pair": f"{one}, {other}", "cosine": number(value, 4)} for value, one, other in ordered])
        if len(pairs) > PAIRS_SHOWN:
            st.caption(f"The first {PAIRS_SHOWN} are shown.")
    if len(words) > 2:
        st.markdown(odd_one_out(vectors, words))


def and_equal(pairs: Sequence[tuple[float, str, str]], pair: tuple[float, str, str]) -> str:
    """Return the words of a pair, and how many other pairs have the same cosine similarity.

    >>> and_equal([(0.0, "a", "b"), (0.5, "a", "c"), (0.5, "b", "c")], (0.5, "b", "c"))
    'b and c and 1 other pair'
    """
    value, one, other = pair
    equal = sum(abs(each - value) < TIE_TOLERANCE for each, *_ in pairs) - 1
    return f"{one} and {other}" + (f" and {pluralize(equal, 'other pair')}" if equal else "")


def words_field(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Render a field for several words; return those that have vectors, and show an error for the others."""
    st.text_input("Words, separated by spaces or commas", **bind_choice("words"))
    words = choices.word_list
    if len(words) > MAX_WORDS_DRAWN:
        show_error(f"{len(words)} words are more than {MAX_WORDS_DRAWN}: the first {MAX_WORDS_DRAWN} are shown.")
    drawn = drawn_words(vectors, choices)
    if missing := [word for word in words[:MAX_WORDS_DRAWN] if word not in drawn]:
        first, *others = map(quote, missing)
        left_out = f" Left out with {first}: {first_few(others, WORDS_NAMED)}." if others else ""
        show_error(f"{unknown_word(vectors, missing)}{left_out}")
    return drawn


def drawn_words(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Return those of the first MAX_WORDS_DRAWN words that have vectors with a direction."""
    return [word for word in choices.word_list[:MAX_WORDS_DRAWN] if has_direction(vectors, word)]


def odd_one_out(vectors: KeyedVectors, words: list[str]) -> str:
    (cosine, odd), *others = sorted(vectors.rank_by_centrality(words))
    low, high = others[0][0], others[-1][0]
    if max(abs(cosine), abs(high)) < TIE_TOLERANCE:
        return "**No odd one out:** the mean of all is zero, so that no word is farther from it than another."
    if high - cosine < TIE_TOLERANCE:
        return f"**No odd one out:** each has the cosine similarity {number(cosine, 4)} with the mean of all."
    ends = f"{number(low, 4)} to {number(high, 4)}" if high - low >= TIE_TOLERANCE else number(low, 4)
    numbers = f"cosine similarity {number(cosine, 4)} with the mean of all, and {ends} for the others"
    if low - cosine > high - low:
        return f"**Odd one out:** {escape_markdown(odd)}, {numbers}, which differ by less among themselves."
    farthest = f"{escape_markdown(odd)} is farthest"
    if low - cosine < TIE_TOLERANCE:
        farthest = f"{escape_markdown(odd)} is not farther than {escape_markdown(others[0][1])}"
    return f"**No odd one out:** {farthest}, {numbers}, which differ by at least as much among themselves."


def map_view(vectors: KeyedVectors, choices: Choices) -> None:
    words = words_field(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a map.")
        return
    projection = project(np.stack([vectors.get_vector(word, norm=True) for word in words]))
    first, second = projection.shares
    left_out = "Other directions are left out: words that touch here may be far apart."
    if min(len(words) - 1, vectors.vector_size) <= 2:
        left_out = "No direction is left out."
    directions = "the two directions in which they differ most, with "
    directions += f"{first:.0%} of the variance (horizontal) and {second:.0%} (vertical)"
    if vectors.vector_size == 1:
        directions = "the only direction of their vectors (horizontal)"
    by_chance = " Try some other seeds: what stays the same is hardly chance." if choices.vectors in HERE else ""
    chart = map_chart(words, projection.points, projection.shares)
    is_full = "" in chart.data["words"].column("name").to_pylist()
    to_read = " If there is no room for a word, point at its dot or tap it." if is_full else ""
    show_chart(chart, f"PCA projection: {len(words)} words in {directions}. {left_out}{by_chance}{to_read}")


def gallery_view(vectors: KeyedVectors, choices: Choices) -> None:
    popular, people = run_analogies(vectors, POPULAR_ANALOGIES), run_analogies(vectors, PEOPLE)
    st.header("Analogies that are often shown", anchor=False)
    if popular:
        show_table([result_row(result) | {"verdict": result.verdict} for result in popular])
    st.caption(f"This vocabulary has the words of {len(popular)} of {len(POPULAR_ANALOGIES)}.")
    st.header("What the texts say about people", anchor=False)
    if not people:
        st.caption(f"This vocabulary lacks words of all {len(PEOPLE)} questions; those of large corpora have them.")
        return
    show_table([result_row(result) for result in people])
    st.caption(f"This vocabulary has the words of {len(people)} of {len(PEOPLE)}.")
    st.markdown(
        "No question in this table has a correct answer. The vectors reflect which words the texts use about "
        "whom, and so does a program built on them (Bolukbasi et al., 2016). Excluded input words make it look worse "
        "than it is: then *doctor* cannot be the answer to *doctor*, and it must be another word (Nissim et al., 2020)."
    )


def result_row(result: AnalogyResult) -> dict[str, str]:
    return {
        "question": result.question,
        "inputs included": f"{result.included[0]} {number(result.included[1])}",
        "inputs excluded": f"{result.excluded[0]} {number(result.excluded[1])}",
    }


def questions_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Run the analogy test of Mikolov et al. (2013) on demand, with input words included and excluded."""
    n = len(vectors)
    candidates = f"{MAX_WORDS:,} most frequent words" if n > MAX_WORDS else pluralize(n, "word")
    st.markdown(
        f"{sum(map(len, sections().values())):,} questions in {len(sections())} sections, as published with word2vec: "
        f"*athens* is to *greece* as *oslo* is to *norway*. The nearest of the {candidates} is the answer."
    )
    # Of these vectors, whatever the view.
    key = (*training_key(current().state.lesson("word2vec")), session_vectors().vectors_id)
    pressed = st.button("Run all questions", type="primary")
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            bar, scores = st.progress(0.0), []
            for done, (section, questions) in enumerate(sections().items()):
                bar.progress(done / len(sections()), text=f"Section {section} …")
                with training_turn():  # its products take memory, too
                    scores.append(score(vectors, section, questions))
            bar.empty()
            st.session_state.analogy_test = (key, scores)
    if "analogy_test" in st.session_state and st.session_state.analogy_test[0] == key:
        scores = st.session_state.analogy_test[1]
        show_table([score_row(each) for each in [*scores, *totals(scores)]])
        st.caption(
            "Covered: questions of a section with all four words in this vocabulary. Correct, by 3CosAdd: of these."
        )


def score_row(result: Score) -> dict[str, str]:
    with_inputs = result.correct_with_inputs
    return {
        "section": result.section,
        "questions": f"{result.questions:,}",
        "covered": f"{result.covered:,} ({share(result.covered, result.questions)})",
        "correct, inputs excluded": f"{result.correct:,} ({share(result.correct, result.covered)})",
        "correct, inputs included": f"{with_inputs:,} ({share(with_inputs, result.covered)})",
    }


def share(part: int, whole: int) -> str:
    return percent(part / whole) if whole else "–"
