"""word2vec trained on the page: the grammar, the settings, the progress, and the analogies solved by epoch."""

from functools import cache
from itertools import chain
from time import monotonic

import streamlit as st

from components.base.field_types import field_types_of
from components.base.link import State
from components.base.text_format import pluralize
from components.figures.cells import number
from components.lessons.word2vec.charts import epochs_chart, short
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.trained import corpus, min_count, trained_vectors
from components.ui.blocks import show_chart, show_error, whole_number
from components.ui.state import bind_choice, change_choices, register_widget, set_text
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, text_sentences
from components.vectors.negative_sampling import pairs_with_itself
from components.vectors.word2vec import LEARNING_RATE, LOW_LEARNING_RATE, Epoch, TrainedVectors

SECONDS_WITHOUT_BAR = 0.3
ENOUGH_PAIRS = 30  # of neighbors, for each word: below this the page warns
MUCH_ALIKE = 0.9  # cosine similarity of a row with its start


def train_here(state: State) -> TrainedVectors | None:
    """Return vectors trained with these settings, with a progress bar if it takes long; None after an error."""
    begun, bars, epochs_in_all = monotonic(), [], state.choices.epochs

    def show_progress(epochs: list[Epoch]) -> None:
        if not bars and monotonic() - begun > SECONDS_WITHOUT_BAR:
            bars.append(st.progress(0.0))
        for bar in bars:
            done, last = len(epochs), epochs[-1]
            text = f"Epoch {done} of {epochs_in_all}: loss {short(last.loss)}, {last.solved} analogies solved"
            bar.progress(done / epochs_in_all, text=text)

    with st.container():  # always rendered: a progress bar must not move what is below, which would lose the focus
        try:
            trained = trained_vectors(state, show_progress)
        except ValueError as error:
            show_error(str(error))
            return None
        for bar in bars:
            bar.empty()
    return trained


def corpus_field(state: State) -> None:
    choices = state.choices
    # With a key it stays open when an error takes the position of the figure above.
    kept = {"icon": ":material/edit_note:", "key": "corpus", "on_change": "rerun"}
    if choices.vectors == "text":
        with st.expander("**Your sentences**: one ends at . ! ? or at the end of a line", **kept):
            bound = register_widget("own_sentences", state.text, set_text)
            st.text_area("Your sentences", height=200, label_visibility="collapsed", **bound)
        return
    if choices.vectors == "news":
        st.caption(
            "300 news documents, about 58,000 words (Lee, Pincombe and Welsh, 2005), as included in gensim. The "
            "vectors of Google News were trained on over a million times as many words: here most analogies fail, "
            "because most words occur only a few times."
        )
        return
    with st.expander("**The grammar** that writes the sentences: read it, change it", **kept):
        st.caption(
            "*king: royal male* gives a word its features; *[male]* is replaced by a random word with that feature; "
            "*king − man + woman = queen* is tested after every epoch. How a word is spelled does not matter: call "
            "queen *xyz* everywhere, and it works as well."
        )

        def change(text: str) -> None:
            change_choices(grammar="" if text.strip() == GRAMMAR.strip() else text)

        st.text_area(
            "Grammar",
            height=300,
            label_visibility="collapsed",
            **register_widget("grammar", choices.grammar or GRAMMAR, change),
        )
        st.button("Reset grammar", on_click=change_choices, kwargs={"grammar": ""})


def integer_field(label: str, name: str, width: int, about: str, step: int = 1) -> None:
    field_type = field_types_of(Choices)[name]
    low, high = field_type.low, field_type.high
    whole_number(label, low, high, step, width=width, help=f"{about} From {low:,} to {high:,}.", **bind_choice(name))


def training_fields(choices: Choices) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if choices.vectors == "grammar":
            integer_field("Sentences", "sentences", 112, "How many are sampled from the grammar.", step=100)
        integer_field("D, dimension", "vector_size", 120, "How many numbers each word gets.")
        about = "A word learns from up to this many words on each side; the number is sampled for each word."
        integer_field("Window", "window", 94, about)
        integer_field("Epochs", "epochs", 94, "Passes over the whole corpus.")
        about = "For each true neighbor, how many sampled words are pushed away."
        integer_field("Negative samples", "negative", 146, about)
        integer_field("Seed", "train_seed", 94, "Random seed. The same seed and settings give the same vectors.")
    with st.expander("Skip-gram with negative sampling: the call to gensim", icon=":material/code:"):
        st.code(
            f"Word2Vec(sentences, sg=1, vector_size={choices.vector_size}, window={choices.window}, "
            f"epochs={choices.epochs},\n         negative={choices.negative}, min_count={min_count(choices)}, "
            f"seed={choices.train_seed}, workers=1, sample=0, alpha={LEARNING_RATE}, min_alpha={LOW_LEARNING_RATE})",
            wrap_lines=True,
        )
        st.caption(
            "A word must occur min_count times to get a vector. One worker, so that a seed gives the same numbers "
            "again; the learning rate falls from the first to the last epoch. Mikolov et al. (2013), "
            "“Distributed Representations of Words and Phrases and their Compositionality”."
        )


def show_training(trained: TrainedVectors | None, state: State) -> None:
    corpus_field(state)
    training_fields(state.choices)
    if trained is not None:
        show_epochs(trained)


def too_few(state: State, trained: TrainedVectors) -> str:
    """Return what is to be expected of the learner's own sentences if they are too few, else nothing."""
    sentences, choices = text_sentences(state.text), state.choices
    _, pairs = pairs_with_itself(sentences, choices.window)
    n_words = len(trained.vectors)
    if pairs >= ENOUGH_PAIRS * n_words:
        return ""
    like = f"cosine similarity with its start is {number(trained.like_start)} on average"
    row = f"a row is still nearly random: its {like}" if trained.like_start > MUCH_ALIKE else f"a row's {like}"
    return (
        f"Your text is short for word2vec: {pluralize(n_words, 'word')} with {pairs:,} pairs of neighbors, "
        f"{pairs / n_words:.0f} for each word; the grammar has {grammar_pairs(choices.window):.0f} for each. After "
        f"{pluralize(choices.epochs, 'epoch')} {row}. A high cosine similarity means little here: add sentences with "
        "the same words."
    )


@cache
def grammar_pairs(window: int) -> float:
    """Return how many pairs of neighbors the sentences of the app's own grammar have for each word.

    >>> round(grammar_pairs(1)), round(grammar_pairs(10))
    (67, 168)
    """
    sentences, _ = corpus(State(choices=Choices()))
    return pairs_with_itself(sentences, window)[1] / len({*chain.from_iterable(sentences)})


def show_epochs(trained: TrainedVectors) -> None:
    epochs = trained.epochs
    left, right = st.columns(2, gap="medium")
    with left:
        last = f" and {short(epochs[-1].loss)} in the last of {len(epochs)}" if len(epochs) > 1 else ""
        show_chart(
            epochs_chart([epoch.loss for epoch in epochs], "loss of the epoch"),
            f"The loss was {short(epochs[0].loss)} in the first epoch{last}.",
        )
    with right:
        if not trained.questions:
            st.caption("This corpus lists no analogies; a grammar can, in lines such as `king - man + woman = queen`.")
            return
        solved = [epoch.solved for epoch in epochs]
        first = next((epoch for epoch, count in enumerate(solved, 1) if count), None)
        when = f"; the earliest was solved after epoch {first}" if first else ", none in any epoch"
        last = zip(trained.questions, epochs[-1].ranks, strict=True)
        unsolved = [f"{question} ({why_unsolved(trained, question, rank)})" for question, rank in last if rank != 1]
        not_solved = f"Not solved: {'; '.join(unsolved)}." if unsolved else ""
        show_chart(
            epochs_chart(solved, "analogies solved", float(len(trained.questions))),
            f"Analogies solved at the end: {solved[-1]} of {len(trained.questions)}{when}. Solved: the answer is "
            f"nearer than every other word, input words excluded. {not_solved}".strip(),
        )


def why_unsolved(trained: TrainedVectors, question: AnalogyQuestion, rank: int | None) -> str:
    if rank:
        return f"rank {rank:,}"
    missing = [word for word in question if word not in trained.vectors]
    return f"{missing[0]} has no vector" if missing else "the answer is an input"
