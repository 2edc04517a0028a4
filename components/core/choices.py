"""The choices that belong to one lesson each; like the settings they live in the address of the page."""

from dataclasses import dataclass
from typing import Any

from components.core.corpora import MAX_GRAMMAR_CHARS
from components.core.failure_word import WORD_CHARS
from components.core.failures import FAILURES
from components.core.kinds import Flag, Line, Number, OneOf, Whole, check_all
from components.core.limits import (
    MAX_CONTEXT_LENGTH,
    MAX_DIM,
    MAX_LINE_CHARS,
    MAX_SEED,
    MAX_TEXT_CHARS,
    MAX_TRAINING_STEPS,
    MAX_VOCAB_SIZE,
)
from components.core.settings import setting

INPUTS = ("batch", "sequence", "single")
DTYPES = ("int64", "int32")
SPREADS = ("1", "D^-0.5", "0.02")
OPTIMIZERS = ("sgd", "momentum", "adam", "adamw")
VECTORS = ("grammar", "news", "glove-wiki-gigaword-50", "word2vec_sample", "word2vec-google-news-300", "upload")
VIEWS = ("analogy", "neighbours", "similarity", "map", "gallery", "questions")
METHODS = ("add", "mul")
SILENT = "nothing is raised"
OTHER = "another exception"
GUESSES = ("IndexError", "KeyError", "RuntimeError", "TypeError", "ValueError", "AssertionError", OTHER, SILENT)


def experiment_parameter(experiment: str, name: str) -> Any:
    """Return a field for a parameter of an experiment, with its kind and its default."""
    parameter = FAILURES[experiment].parameters[name]
    return setting(parameter.default, parameter.kind)


@dataclass(frozen=True)
class Choices:
    """What the learner chooses on single pages; places count from 0 and are held to what exists when drawn."""

    present: bool = setting(False, Flag("present"))  # the presenter's view
    ids: str = setting("", Line("ids", MAX_LINE_CHARS))  # typed IDs; empty: the batch comes from the text
    # tokens
    word: int = setting(0, Whole("word", 0, MAX_TEXT_CHARS))
    piece: int = setting(0, Whole("piece", 0, 4 * MAX_TEXT_CHARS))
    probe: str = setting("", Line("probe", MAX_LINE_CHARS))
    search: str = setting("", Line("search", MAX_LINE_CHARS))
    # windows
    shuffle: bool = setting(False, Flag("shuffle"))
    drop_last: bool = setting(False, Flag("drop_last"))
    batch: int = setting(0, Whole("batch", 0, 4 * MAX_TEXT_CHARS))
    start: int = setting(0, Whole("start", 0, 4 * MAX_TEXT_CHARS))
    # lookup
    input: str = setting("batch", OneOf("input", INPUTS))
    dtype: str = setting("int64", OneOf("dtype", DTYPES))
    rows_in_use: bool = setting(True, Flag("rows_in_use"))
    row: int = setting(0, Whole("row", 0, MAX_VOCAB_SIZE))
    column: int = setting(0, Whole("column", 0, MAX_DIM))
    # positions
    wave: int = setting(0, Whole("wave", 0, MAX_DIM))
    shuffle_seed: int = setting(1, Whole("shuffle_seed", 0, 99))
    # combine
    step: int = setting(0, Whole("step", 0, 9))
    b: int = setting(0, Whole("b", 0, 4096))
    t: int = setting(0, Whole("t", 0, MAX_CONTEXT_LENGTH))
    d: int = setting(0, Whole("d", 0, MAX_DIM))
    spread: str = setting("1", OneOf("spread", SPREADS))

    # errors
    experiment: str = setting("id_equals_v", OneOf("experiment", tuple(FAILURES)))
    guess: str = setting("", OneOf("guess", ("", *GUESSES)))
    ran: bool = setting(False, Flag("ran"))
    repaired: bool = setting(False, Flag("repaired"))
    lab_V: int = experiment_parameter("own", "V")
    lab_D: int = experiment_parameter("own", "D")
    lab_T: int = experiment_parameter("own", "T")
    lab_ids: str = experiment_parameter("own", "ids")
    lab_dtype: str = experiment_parameter("own", "dtype")
    lab_B: int = experiment_parameter("cannot_broadcast", "B")
    lab_far: int = experiment_parameter("id_far_above", "far")
    lab_back: int = experiment_parameter("negative_id", "back")
    lab_wrong_dtype: str = experiment_parameter("float_ids", "wrong_dtype")
    lab_extra: int = experiment_parameter("past_position_table", "extra")
    lab_width: int = experiment_parameter("dim_mismatch", "width")
    lab_beyond: int = experiment_parameter("padding_idx_outside", "beyond")
    lab_word: str = experiment_parameter("unknown_word", "word")
    lab_key: str = experiment_parameter("unknown_vector", "key")
    lab_text: str = experiment_parameter("special_token", "text")
    lab_token_id: int = experiment_parameter("undecodable_id", "token_id")
    lab_character: str = experiment_parameter("half_character", "character")

    # training
    train_steps: int = setting(0, Whole("steps", 0, MAX_TRAINING_STEPS))  # how far the model is to be trained
    train_more: int = setting(200, Whole("steps at a time", 1, MAX_TRAINING_STEPS))
    optimizer: str = setting("sgd", OneOf("optimizer", OPTIMIZERS))
    learning_rate: float = setting(0.3, Number("learning rate", 1e-6, 1e6))
    weight_decay: float = setting(0.1, Number("weight decay", 0.0, 1.0))
    tied: bool = setting(False, Flag("tied"))
    padding_idx: bool = setting(True, Flag("padding_idx"))
    prompt: str = setting("", Line("prompt", MAX_LINE_CHARS))  # empty: the beginning of the text

    # word2vec
    vectors: str = setting("grammar", OneOf("vectors", VECTORS))
    view: str = setting("analogy", OneOf("view", VIEWS))
    grammar: str = setting("", Line("grammar", MAX_GRAMMAR_CHARS))  # empty: the grammar that comes with the app
    sentences: int = setting(600, Whole("sentences", 50, 10_000))
    vector_size: int = setting(32, Whole("D", 2, 100))
    window: int = setting(5, Whole("window", 1, 10))
    epochs: int = setting(15, Whole("epochs", 1, 30))
    negative: int = setting(10, Whole("negative samples", 1, 20))
    train_seed: int = setting(1, Whole("seed", 0, MAX_SEED))
    word_a: str = setting("king", Line("a", WORD_CHARS))
    word_b: str = setting("man", Line("b", WORD_CHARS))
    word_c: str = setting("woman", Line("c", WORD_CHARS))
    expected: str = setting("queen", Line("expected", WORD_CHARS))
    method: str = setting("add", OneOf("method", METHODS))
    near: str = setting("king", Line("word", WORD_CHARS))
    words: str = setting("king queen man woman prince princess", Line("words", MAX_LINE_CHARS))

    # glossary
    term: str = setting("", Line("term", MAX_LINE_CHARS))

    def __post_init__(self) -> None:
        check_all(self)

    @property
    def typed(self) -> bool:
        """Whether the batch comes from typed IDs rather than from the text."""
        return bool(self.ids.strip())
