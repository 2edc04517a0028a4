"""word2vec trained on the page: the grammar, the settings, the progress, and the analogies solved by epoch."""

from threading import Lock

import streamlit as st
from cachetools import LRUCache

from components.base.field_types import field_types_of
from components.base.limits import MAX_TRAINED_BYTES_CACHED
from components.lessons.word2vec.charts import epochs_chart
from components.lessons.word2vec.choices import Choices
from components.ui.blocks import show_chart, show_error
from components.ui.state import bind_choice, bind_widget, change_choices
from components.vectors.analogy_lists import NEWS_MIN_COUNT, NEWS_QUESTIONS
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, read_grammar, write_sentences
from components.vectors.news import lee_sentences
from components.vectors.word2vec import LEARNING_RATE, LOW_LEARNING_RATE, Epoch, TrainedVectors, train_word2vec

_trained: LRUCache = LRUCache(
    MAX_TRAINED_BYTES_CACHED, getsizeof=lambda trained: trained.vectors.vectors.nbytes + 200 * len(trained.vectors)
)
_lock = Lock()


def train_here(choices: Choices) -> TrainedVectors | None:
    """Render the settings; return vectors trained with them, here or by another session, or None after an error."""
    grammar_field(choices)
    training_fields(choices)
    key = training_key(choices)
    with st.container():  # always rendered: a progress bar must not move what is below, which would lose the focus
        with _lock:
            trained = _trained.get(key)
        if trained is None:
            try:
                trained = run_training(choices)
            except ValueError as error:
                show_error(str(error))
                return None
            with _lock:
                _trained[key] = trained
    return trained


def training_key(choices: Choices) -> tuple:
    """Return all that the vectors depend on: the same key means the same vectors."""
    return (
        choices.vectors,
        choices.grammar,
        choices.sentences if choices.vectors == "grammar" else 0,
        choices.vector_size,
        choices.window,
        choices.epochs,
        choices.negative,
        choices.train_seed,
    )


def run_training(choices: Choices) -> TrainedVectors:
    """Train with a progress bar. Raises ValueError if the grammar cannot be read. The message is shown to learners."""
    if choices.vectors == "grammar":
        grammar = read_grammar(choices.grammar or GRAMMAR)
        sentences = write_sentences(grammar, choices.sentences, choices.train_seed)
        questions = grammar.questions
    else:
        sentences, questions = lee_sentences(), NEWS_QUESTIONS
    bar = st.progress(0.0, text="Training …")

    def show_progress(epochs: list[Epoch]) -> None:
        done, last = len(epochs), epochs[-1]
        text = f"Epoch {done} of {choices.epochs}: loss {last.loss:,.0f}, {last.solved} analogies solved"
        bar.progress(done / choices.epochs, text=text)

    trained = train_word2vec(
        sentences,
        questions,
        choices.vector_size,
        choices.window,
        choices.epochs,
        choices.negative,
        choices.train_seed,
        min_count(choices),
        show_progress,
    )
    bar.empty()
    return trained


def grammar_field(choices: Choices) -> None:
    """Render the field for the grammar, or a note about the news documents."""
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
            **bind_widget("grammar", choices.grammar or GRAMMAR, change),
        )
        st.button("Reset grammar", on_click=change_choices, kwargs={"grammar": ""})


def integer_field(label: str, name: str, width: int, about: str, step: int = 1) -> None:
    """Render a field for an integer with the range of the choice `name`."""
    field_type = field_types_of(Choices)[name]
    low, high = field_type.low, field_type.high
    help_text = f"{about} From {low:,} to {high:,}."
    st.number_input(label, low, high, step=step, width=width, help=help_text, **bind_choice(name))


def training_fields(choices: Choices) -> None:
    """Render the settings of the training, and the call to gensim."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if choices.vectors == "grammar":
            integer_field("Sentences", "sentences", 124, "How many are sampled from the grammar.", step=100)
        integer_field("D, dimension", "vector_size", 124, "How many numbers each word gets.")
        about = "A word learns from up to so many words to each side; the number is sampled for each word."
        integer_field("Window", "window", 104, about)
        integer_field("Epochs", "epochs", 104, "Passes over the whole corpus.")
        about = "For each true neighbour, how many sampled words are pushed away."
        integer_field("Negative samples", "negative", 148, about)
        integer_field("Seed", "train_seed", 104, "Random seed. The same seed gives the same vectors.")
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


def min_count(choices: Choices) -> int:
    """Return how often a word must occur to get a vector."""
    return 1 if choices.vectors == "grammar" else NEWS_MIN_COUNT


def show_training(trained: TrainedVectors, choices: Choices) -> None:
    """Show loss and solved analogies by epoch, and which analogies are not solved."""
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
    """Return why an analogy is not solved."""
    if rank:
        return f"rank {rank}"
    words = (question.a, question.b, question.c, question.answer)
    missing = [word for word in words if word not in trained.vectors]
    return f"{missing[0]} has no vector" if missing else "the answer is an input"
