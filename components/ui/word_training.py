"""word2vec trained on the page: the settings, the progress, and how the analogies came into being."""

from threading import Lock

import streamlit as st
from cachetools import LRUCache

from components.charts.words import epochs_chart
from components.core.choices import Choices
from components.core.corpora import GRAMMAR, Question, read_grammar, write_sentences
from components.core.kinds import kinds_of
from components.core.limits import MAX_TRAINED_BYTES_CACHED
from components.core.news import lee_sentences
from components.core.news_questions import NEWS_MIN_COUNT, NEWS_QUESTIONS
from components.core.word2vec import LEARNING_RATE, LOW_LEARNING_RATE, Epoch, Trained, train_word2vec
from components.ui.blocks import refuse, show
from components.ui.state import bound, change_choices, choice

_trained: LRUCache = LRUCache(
    MAX_TRAINED_BYTES_CACHED, getsizeof=lambda trained: trained.vectors.vectors.nbytes + 200 * len(trained.vectors)
)
_lock = Lock()


def train_here(choices: Choices) -> Trained | None:
    """Draw the settings and train, or take what another session trained with the same; None where nothing can be."""
    grammar_entry(choices)
    training_settings(choices)
    key = training_key(choices)
    with st.container():  # always there: a bar that comes and goes would move what stands below and take its focus
        with _lock:
            trained = _trained.get(key)
        if trained is None:
            try:
                trained = run_training(choices)
            except ValueError as error:
                refuse(str(error))
                return None
            with _lock:
                _trained[key] = trained
    return trained


def training_key(choices: Choices) -> tuple:
    """Return all that vectors depend on: the same key means the same vectors."""
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


def run_training(choices: Choices) -> Trained:
    """Train with a bar that moves from epoch to epoch. Raises ValueError for a grammar that cannot be read."""
    if choices.vectors == "grammar":
        grammar = read_grammar(choices.grammar or GRAMMAR)
        sentences = write_sentences(grammar, choices.sentences, choices.train_seed)
        questions = grammar.questions
    else:
        sentences, questions = lee_sentences(), NEWS_QUESTIONS
    bar = st.progress(0.0, text="Training …")

    def moved(epochs: list[Epoch]) -> None:
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
        moved,
    )
    bar.empty()
    return trained


def grammar_entry(choices: Choices) -> None:
    """Draw the grammar for editing, or a word about the news."""
    if choices.vectors == "news":
        st.caption(
            "300 news documents, about 58,000 words (Lee, Pincombe and Welsh, 2005), as gensim brings them. The "
            "vectors of Google News were trained on over a million times as many words: here most analogies fail, "
            "because most words are seen a few times only, and in one story."
        )
        return
    with st.expander("**The grammar** that writes the sentences: read it, change it", icon=":material/edit_note:"):
        st.caption(
            "*king: royal male* gives a word its features; *[male]* stands for any word with that feature; "
            "*king - man + woman = queen* is asked after every epoch. Words are never looked into: call queen *xyz* "
            "everywhere, and it works as well."
        )

        def changed(text: str) -> None:
            change_choices(grammar="" if text.strip() == GRAMMAR.strip() else text)

        st.text_area(
            "Grammar", height=300, label_visibility="collapsed", **bound("grammar", choices.grammar or GRAMMAR, changed)
        )
        st.button("The grammar as it was", on_click=change_choices, kwargs={"grammar": ""})


def number(label: str, name: str, width: int, about: str, step: int = 1) -> None:
    """Draw an entry for a whole number with the range of the choice `name`."""
    kind = kinds_of(Choices)[name]
    about = f"{about} From {kind.low:,} to {kind.high:,}."
    st.number_input(label, kind.low, kind.high, step=step, width=width, help=about, **choice(name))


def training_settings(choices: Choices) -> None:
    """Draw what can be changed about the training, and the call that is made."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if choices.vectors == "grammar":
            number("Sentences", "sentences", 124, "How many are written at random from the grammar.", step=100)
        number("D, dimension", "vector_size", 124, "How many numbers each word gets.")
        about = "A word learns from up to so many words to each side; how many is drawn anew for each word."
        number("Window", "window", 104, about)
        number("Epochs", "epochs", 104, "How often the whole corpus is gone through.")
        about = "For each true neighbour, how many words drawn at random are pushed away."
        number("Negative samples", "negative", 148, about)
        number("Seed", "train_seed", 104, "The start of the random numbers: the same seed gives the same vectors.")
    with st.expander("Skip-gram with negative sampling: the call to gensim", icon=":material/code:"):
        st.code(
            f"Word2Vec(sentences, sg=1, vector_size={choices.vector_size}, window={choices.window}, "
            f"epochs={choices.epochs},\n         negative={choices.negative}, min_count={min_count(choices)}, "
            f"seed={choices.train_seed}, workers=1, sample=0, alpha={LEARNING_RATE}, min_alpha={LOW_LEARNING_RATE})",
            wrap_lines=True,
        )
        st.caption(
            "A word must be seen min_count times to get a vector. One worker, so that a seed gives the same numbers "
            "again; the learning rate falls from the first to the last epoch. Mikolov et al. (2013), "
            "“Distributed Representations of Words and Phrases and their Compositionality”."
        )


def min_count(choices: Choices) -> int:
    """Return how often a word must be seen to get a vector."""
    return 1 if choices.vectors == "grammar" else NEWS_MIN_COUNT


def show_training(trained: Trained, choices: Choices) -> None:
    """Draw loss and analogies epoch by epoch, and say when the first came and which never did."""
    epochs = trained.epochs
    left, right = st.columns(2, gap="medium")
    with left:
        passes = "one epoch" if len(epochs) == 1 else f"{len(epochs)} epochs"
        show(
            epochs_chart([round(epoch.loss) for epoch in epochs], "loss of the epoch"),
            f"The loss is {epochs[-1].loss:,.0f} after {passes}; in the first it was {epochs[0].loss:,.0f}.",
        )
    with right:
        if not trained.questions:
            st.caption("The grammar asks no analogies: add a line such as king - man + woman = queen.")
            return
        solved = [epoch.solved for epoch in epochs]
        first = next((number for number, count in enumerate(solved, 1) if count), None)
        when = f"the first after epoch {first}" if first else "none in any epoch"
        last = zip(trained.questions, epochs[-1].ranks, strict=True)
        unsolved = [f"{question} ({reason(trained, question, rank)})" for question, rank in last if rank != 1]
        not_solved = f"Not solved: {'; '.join(unsolved)}." if unsolved else ""
        show(
            epochs_chart(solved, "analogies solved", float(len(trained.questions))),
            f"{solved[-1]} of {len(trained.questions)} analogies are solved at the end, {when}. Solved: the answer is "
            f"nearer than every other word, inputs struck out. {not_solved}".strip(),
        )


def reason(trained: Trained, question: Question, rank: int | None) -> str:
    """Return why an analogy is not solved."""
    if rank:
        return f"rank {rank}"
    words = (question.a, question.b, question.c, question.answer)
    missing = [word for word in words if word not in trained.vectors]
    return f"{missing[0]} has no vector" if missing else "the answer is an input"
