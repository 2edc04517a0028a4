"""The programs of the word2vec lesson: vectors trained with the page's settings, and the question that is asked."""

from functools import lru_cache

from components.core.choices import Choices
from components.core.corpora import GRAMMAR, SLOT, Grammar, read_grammar, write_sentences
from components.core.link import State
from components.core.news_questions import NEWS_MIN_COUNT, NEWS_QUESTIONS
from components.core.snippet import Ids, Snippet
from components.core.snippet_literals import wrapped
from components.core.snippet_words import asked, question
from components.core.vector_sources import SOURCES

CALL = """\
model = Word2Vec(
    sg=1, vector_size={c.vector_size}, window={c.window}, epochs={c.epochs}, negative={c.negative},
    min_count={min_count}, seed={c.train_seed}, workers=1, sample=0, alpha=0.025, min_alpha=0.0001,
)
model.build_vocab(sentences)
"""
WATCH = """
class Loss(CallbackAny2Vec):
    def on_epoch_end(self, model):
        self.epochs = [*getattr(self, "epochs", []), model.get_latest_training_loss()]
        model.running_training_loss = 0.0  # else gensim adds up all epochs


"""


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the training and the chosen question; for published or uploaded vectors the question to a file.

    Where a grammar cannot be read there is nothing; where a word has no vector, only the training.

    >>> [snippet.name for snippet in snippets(State(), [])]
    ['train', 'analogy']
    >>> [snippet.name for snippet in snippets(State(choices=Choices(vectors="upload", view="map")), [])]
    ['map']
    """
    choices = state.choices
    if choices.vectors not in ("grammar", "news"):
        part = question(choices, asked(choices))
        if part is None:
            return []
        code = _tidy(f"{part.imports}from gensim.models import KeyedVectors\n") + _file(choices.vectors) + part.code
        return [Snippet(choices.view, part.title, part.about, code)]
    try:
        grammar = read_grammar(choices.grammar or GRAMMAR) if choices.vectors == "grammar" else None
    except ValueError:
        return []
    known = _known(choices.vectors, choices.grammar, choices.sentences, choices.train_seed)
    if len(known) < 2:
        return []
    found = [_train(choices, grammar, known)]
    part = question(choices, asked(choices, known), known)
    if part is not None:
        imports, corpus = _corpus(choices, grammar)
        train = CALL.format(c=choices, min_count=_min_count(choices))
        train += "model.train(sentences, total_examples=len(sentences), epochs=model.epochs)\nvectors = model.wv\n"
        code = _tidy(imports + part.imports + "from gensim.models import Word2Vec\n") + corpus + train + part.code
        found.append(Snippet(choices.view, part.title, part.about, code))
    return found


def _tidy(imports: str) -> str:
    """Return import lines in the usual order: the standard library first."""
    lines = sorted(set(imports.split("\n")) - {""}, key=lambda line: (line.startswith("from"), line.split()[1]))
    library = [line for line in lines if line.split()[1].split(".")[0] not in ("gensim", "numpy")]
    others = [line for line in lines if line not in library]
    return "\n".join([*library, *([""] if library else []), *others, "", ""])


def _min_count(choices: Choices) -> int:
    return 1 if choices.vectors == "grammar" else NEWS_MIN_COUNT


@lru_cache(16)
def _known(vectors: str, grammar: str, count: int, seed: int) -> frozenset[str]:
    """Return the words that get a vector."""
    if vectors == "grammar":
        return frozenset(
            word for line in write_sentences(read_grammar(grammar or GRAMMAR), count, seed) for word in line
        )
    from collections import Counter

    from components.core.news import lee_sentences

    counts = Counter(word for line in lee_sentences() for word in line)
    return frozenset(word for word, times in counts.items() if times >= NEWS_MIN_COUNT)


def _corpus(choices: Choices, grammar: Grammar | None) -> tuple[str, str]:
    """Return the imports and the lines that make `sentences`."""
    if grammar is None:
        return (
            "from gensim.test.utils import datapath\nfrom gensim.utils import simple_preprocess\n",
            'lines = open(datapath("lee_background.cor"), encoding="utf-8").read().splitlines()  # 300 news documents\n'
            "sentences = [simple_preprocess(line) for line in lines]\n",
        )
    used = [slot for line in grammar.sentences for slot in map(SLOT.fullmatch, line) if slot]
    slots = {slot[0]: grammar.words[slot[1]] for slot in used}
    code = f"slots = {{  # words by feature\n{wrapped([f'{slot!r}: {words}' for slot, words in slots.items()])}}}\n"
    code += f"templates = [\n{wrapped([repr(' '.join(line)) for line in grammar.sentences])}]\n"
    code += (
        f"draw = random.Random({choices.train_seed})\n"
        "sentences = [\n"
        "    [draw.choice(slots[part]) if part in slots else part for part in draw.choice(templates).split()]\n"
        f"    for _ in range({choices.sentences})\n"
        "]\n"
    )
    return "import random\n", code


def _train(choices: Choices, grammar: Grammar | None, known: frozenset[str]) -> Snippet:
    imports, corpus = _corpus(choices, grammar)
    questions = grammar.questions if grammar else NEWS_QUESTIONS
    fit = [q for q in questions if {q.a, q.b, q.c, q.answer} <= known and q.answer not in (q.a, q.b, q.c)]
    imports += "from gensim.models import Word2Vec\nfrom gensim.models.callbacks import CallbackAny2Vec\n"
    code = f"{_tidy(imports)}{WATCH}{corpus}{CALL.format(c=choices, min_count=_min_count(choices))}"
    code += (
        "loss = Loss()\n"
        "model.train(\n"
        "    sentences, total_examples=len(sentences), epochs=model.epochs, compute_loss=True, callbacks=[loss]\n)\n"
        "vectors = model.wv\n"
        'print(len(vectors), "words of", vectors.vector_size, "numbers")\n'
        'print(f"loss {loss.epochs[-1]:,.0f}, in the first epoch {loss.epochs[0]:,.0f}")\n'
    )
    if questions:
        code += (
            f"questions = [  # a - b + c = answer\n{wrapped([repr((q.a, q.b, q.c, q.answer)) for q in fit])}]\n"
            "solved = 0\nfor a, b, c, answer in questions:\n"
            "    nearest = vectors.most_similar(positive=[a, c], negative=[b], topn=1)[0][0]  # inputs struck out\n"
            "    solved += nearest == answer\n"
            f'print(solved, "of", {len(questions)}, "analogies solved")\n'
        )
    missing = len(questions) - len(fit)
    why = "a word of theirs has no vector, or the answer is an input"
    few = f" {missing} of the analogies cannot be solved: {why}." if missing else ""
    about = (
        "Skip-gram with negative sampling. One worker and a seed give the same numbers every time; the loss of an "
        f"epoch is read off, and then set to 0, because gensim goes on adding.{few}"
    )
    return Snippet("train", "Train the vectors", about, code)


def _file(name: str) -> str:
    """Return the lines that load vectors from a file, whose name stands on top."""
    path, binary = "vectors.txt", False
    note = "# Your file; binary=True for word2vec's binary format, no_header=True for GloVe's text.\n"
    if name in SOURCES:
        path, binary = SOURCES[name].url.rsplit("/", 1)[-1], name == "word2vec-google-news-300"
        note = f"# From {SOURCES[name].url}\n"
    if name == "word2vec_sample":
        path, note = "pruned.word2vec.txt", f"{note}# unpacked\n"
    return f"{note}path = {path!r}\nvectors = KeyedVectors.load_word2vec_format(path, binary={binary})\n"
