"""word2vec trained on the page: the grammar, the settings, the progress, and the analogies solved by epoch."""

from time import monotonic

import streamlit as st

from components.base.field_types import field_types_of
from components.lessons.word2vec.charts import epochs_chart
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.figure_film import MAX_WORDS, film_figure
from components.lessons.word2vec.trained import film, min_count, trained_vectors
from components.ui.blocks import show_chart, show_error
from components.ui.figure import show_figure
from components.ui.state import bind_choice, change_choices, register_widget
from components.ui.whole_number import whole_number
from components.vectors.analogies import analogy, unanswerable
from components.vectors.corpora import GRAMMAR, AnalogyQuestion
from components.vectors.word2vec import LEARNING_RATE, LOW_LEARNING_RATE, Epoch, TrainedVectors

SECONDS_WITHOUT_BAR = 0.3


def train_here(choices: Choices) -> TrainedVectors | None:
    """Return vectors trained with these settings, with a progress bar if it takes long; None after an error."""
    begun, bars = monotonic(), []

    def show_progress(epochs: list[Epoch]) -> None:
        if not bars and monotonic() - begun > SECONDS_WITHOUT_BAR:
            bars.append(st.progress(0.0))
        for bar in bars:
            done, last = len(epochs), epochs[-1]
            text = f"Epoch {done} of {choices.epochs}: loss {last.loss:,.0f}, {last.solved} analogies solved"
            bar.progress(done / choices.epochs, text=text)

    with st.container():  # always rendered: a progress bar must not move what is below, which would lose the focus
        try:
            trained = trained_vectors(choices, show_progress)
        except ValueError as error:
            show_error(str(error))
            return None
        for bar in bars:
            bar.empty()
    return trained


def grammar_field(choices: Choices) -> None:
    if choices.vectors == "news":
        st.caption(
            "300 news documents, about 58,000 words (Lee, Pincombe and Welsh, 2005), as included in gensim. The "
            "vectors of Google News were trained on over a million times as many words: here most analogies fail, "
            "because most words are seen a few times only, and in one story."
        )
        return
    with st.expander("**The grammar** that writes the sentences: read it, change it", icon=":material/edit_note:"):
        st.caption(
            "*king: royal male* gives a word its features; *[male]* stands for any word with that feature; "
            "*king - man + woman = queen* is tested after every epoch. Spelling is ignored: call queen *xyz* "
            "everywhere, and it works as well."
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
    help_text = f"{about} From {low:,} to {high:,}."
    whole_number(label, low, high, step, width=width, help=help_text, **bind_choice(name))


def training_fields(choices: Choices) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if choices.vectors == "grammar":
            integer_field("Sentences", "sentences", 112, "How many are sampled from the grammar.", step=100)
        integer_field("D, dimension", "vector_size", 120, "How many numbers each word gets.")
        about = "A word learns from up to so many words to each side; the number is sampled for each word."
        integer_field("Window", "window", 94, about)
        integer_field("Epochs", "epochs", 94, "Passes over the whole corpus.")
        about = "For each true neighbour, how many sampled words are pushed away."
        integer_field("Negative samples", "negative", 146, about)
        integer_field("Seed", "train_seed", 94, "Random seed. The same seed gives the same vectors.")
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


def show_training(trained: TrainedVectors | None, choices: Choices) -> None:
    """Show the corpus and the settings; if they gave vectors, also loss and solved analogies by epoch."""
    grammar_field(choices)
    training_fields(choices)
    if trained is not None:
        show_film(trained, choices)
        show_epochs(trained)


def show_film(trained: TrainedVectors, choices: Choices) -> None:
    """Show how the words of the analogy move, with those of the other views."""
    a, b, c = choices.inputs
    if unanswerable(trained.vectors, a, b, c):
        return
    [(answer, _)] = analogy(trained.vectors, [a, c], [b], 1)
    words = [a, b, c, answer]
    others = [word for word in choices.word_list if word in trained.vectors and word not in words]
    words += others[: MAX_WORDS - len(words)]
    show_figure(film_figure(words, film(choices, tuple(words))), "film")
    st.caption(
        "The film trains once more with these settings, in 80 parts: frame k is (k / 80)² of the training, since most "
        "words move early. Its random numbers are others, so its end resembles the vectors above and does not equal "
        "them. Arrows that are parallel here need not be in all directions: the cosine similarity is of the whole "
        "vectors."
    )


def show_epochs(trained: TrainedVectors) -> None:
    epochs = trained.epochs
    left, right = st.columns(2, gap="medium")
    with left:
        passes = "one epoch" if len(epochs) == 1 else f"{len(epochs)} epochs"
        show_chart(
            epochs_chart([round(epoch.loss) for epoch in epochs], "loss of the epoch"),
            f"The loss is {epochs[-1].loss:,.0f} after {passes}; in the first it was {epochs[0].loss:,.0f}.",
        )
    with right:
        if not trained.questions:
            st.caption("The grammar has no analogies: add a line such as king - man + woman = queen.")
            return
        solved = [epoch.solved for epoch in epochs]
        first = next((epoch for epoch, count in enumerate(solved, 1) if count), None)
        when = f"the first after epoch {first}" if first else "none in any epoch"
        last = zip(trained.questions, epochs[-1].ranks, strict=True)
        unsolved = [f"{question} ({why_unsolved(trained, question, rank)})" for question, rank in last if rank != 1]
        not_solved = f"Not solved: {'; '.join(unsolved)}." if unsolved else ""
        show_chart(
            epochs_chart(solved, "analogies solved", float(len(trained.questions))),
            f"{solved[-1]} of {len(trained.questions)} analogies are solved at the end, {when}. Solved: the answer is "
            f"nearer than every other word, input words excluded. {not_solved}".strip(),
        )


def why_unsolved(trained: TrainedVectors, question: AnalogyQuestion, rank: int | None) -> str:
    if rank:
        return f"rank {rank}"
    missing = [word for word in question if word not in trained.vectors]
    return f"{missing[0]} has no vector" if missing else "the answer is an input"
