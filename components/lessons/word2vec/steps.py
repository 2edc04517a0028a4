"""The steps of one sentence, which the first figure of the lesson shows: two tables with D = 2, trained for a while."""

from dataclasses import dataclass
from pickle import dumps

import torch

from components.base.limits import MAX_STEP_BYTES_CACHED
from components.base.link import State
from components.caches.shared import shared
from components.caches.turns import training_turn
from components.lessons.word2vec.trained import corpus, corpus_key, options
from components.vectors.negative_sampling import POWER, SentenceStep, pairs_with_itself, sentence_steps, window_pairs
from components.vectors.word2vec import two_tables

STEP_DIM, SAMPLED = 2, 2  # of the two tables, and words sampled for each neighbor
MAX_WORDS, MAX_STEPS = 7, 12  # of a sentence


@dataclass(frozen=True, eq=False)
class StepScene:
    """Some steps of a sentence one after the other, and all that the page shows of them."""

    sentence: tuple[str, ...]  # its part that is shown
    window: int
    steps: tuple[SentenceStep, ...]
    names: dict[int, str]  # of the words in the steps, by their row
    chances: dict[int, float]  # that a word of this row is sampled, if it is not the true neighbor
    first: int  # the step that is lit at first: of the chosen word
    n_words: int  # of the corpus
    own_pairs: tuple[int, int]  # of the corpus: pairs of a word with itself, and all
    n_negative: int  # words whose rows of both tables have a negative product

    def center(self, step: SentenceStep) -> str:
        return self.sentence[step.center]


def _key(state: State, word: str) -> tuple:
    choices = state.choices
    return (*corpus_key(state), choices.window, choices.epochs, choices.sentence, choices.rate, word)


@shared(MAX_STEP_BYTES_CACHED, lambda scene: len(dumps(scene)), key=_key)
def step_scene(state: State, word: str) -> StepScene | None:
    """Return the steps of a sentence with a word of the corpus; None if the word is alone in each of its sentences.

    Raises ValueError if there is nothing to train on. The message is shown to learners.
    """
    choices, sentences = state.choices, corpus(state)[0]
    with training_turn():
        vectors, second = two_tables(sentences, options(choices)._replace(dim=STEP_DIM, negative=SAMPLED))
    found = dict.fromkeys(
        words for each in sentences if word in each and len(words := (*(w for w in each if w in vectors),)) > 1
    )
    if not found:
        return None
    whole = [*found][choices.sentence % len(found)]
    start = max(0, min(whole.index(word) - MAX_WORDS // 2, len(whole) - MAX_WORDS))
    sentence = whole[start : start + MAX_WORDS]
    pairs = window_pairs(len(sentence), choices.window)
    first = max(n for n, (center, _) in enumerate(pairs) if center == sentence.index(word))
    begin = max(0, min(first - MAX_STEPS // 2, len(pairs) - MAX_STEPS))
    pairs = pairs[begin : begin + MAX_STEPS]
    rows = [vectors.key_to_index[each] for each in sentence]
    counts = [int(vectors.get_vecattr(each, "count")) for each in vectors.index_to_key]
    tables = torch.from_numpy(vectors.vectors), torch.from_numpy(second)
    steps = sentence_steps(*tables, counts, rows, pairs, SAMPLED, choices.rate, choices.train_seed)
    used = {*rows, *(row for each in steps for row in each.others)}
    total = sum(count**POWER for count in counts)
    return StepScene(
        sentence,
        choices.window,
        tuple(steps),
        {row: vectors.index_to_key[row] for row in used},
        {row: counts[row] ** POWER / total for row in used},
        first - begin,
        len(vectors),
        pairs_with_itself([[word for word in each if word in vectors] for each in sentences], choices.window),
        int(((tables[0] * tables[1]).sum(dim=1) < 0).sum()),
    )
