import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from gensim.models import Word2Vec

from components.vectors.analogies import analogy
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, read_grammar, write_sentences
from components.vectors.word2vec import rank_of_answer, train_word2vec

PROJECT = Path(__file__).parents[2]
GRAMMAR_READ = read_grammar(GRAMMAR)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_six_thousand_sentences_solve_every_analogy(seed):
    sentences = write_sentences(GRAMMAR_READ, 6_000, seed)
    trained = train_word2vec(sentences, GRAMMAR_READ.questions, seed=seed)
    assert trained.epochs[-1].solved == 8
    assert trained.epochs[-1].loss < 0.7 * trained.epochs[0].loss


def test_an_analogy_comes_into_being_and_too_few_dimensions_break_it():
    sentences = write_sentences(GRAMMAR_READ, 600, 1)
    solved = [epoch.solved for epoch in train_word2vec(sentences, GRAMMAR_READ.questions).epochs]
    assert solved[0] < 4 <= solved[-1]
    flat = train_word2vec(write_sentences(GRAMMAR_READ, 6_000, 1), GRAMMAR_READ.questions, dim=2)
    assert flat.epochs[-1].solved <= 4


def test_letters_play_no_part():
    swapped = GRAMMAR.replace("queen", "xyzzy").replace("king", "qqqqq")
    grammar = read_grammar(swapped)
    renamed = train_word2vec(write_sentences(grammar, 3_000, 1), grammar.questions)
    assert renamed.epochs[-1].ranks[0] == 1
    assert str(renamed.questions[0]) == "qqqqq - man + woman = xyzzy"


def test_the_loss_of_an_epoch_is_its_own():
    # gensim adds up in float32; asked for one epoch only, it has nothing to lose.
    sentences = write_sentences(GRAMMAR_READ, 6_000, 1)
    settings = {"vector_size": 32, "window": 5, "negative": 10, "seed": 1, "min_count": 1, "sg": 1, "workers": 1}
    once = Word2Vec(sentences, epochs=1, sample=0, compute_loss=True, alpha=0.025, min_alpha=0.0001, **settings)
    assert train_word2vec(sentences, epochs=1).epochs[0].loss == once.get_latest_training_loss()
    later = [epoch.loss for epoch in train_word2vec(sentences, epochs=12).epochs[3:]]
    assert max(abs(a - b) for a, b in pairwise(later)) < 0.02 * later[0]  # no steps where a sum outgrew float32


def test_the_rank_is_the_place_in_gensims_own_list():
    trained = train_word2vec(write_sentences(GRAMMAR_READ, 300, 5), epochs=2)
    for question in [*GRAMMAR_READ.questions, AnalogyQuestion("king", "queen", "paris", "snow")]:
        words = [
            w for w, _ in analogy(trained.vectors, [question.a, question.c], [question.b], topn=len(trained.vectors))
        ]
        assert rank_of_answer(trained.vectors, question) == words.index(question.answer) + 1


def test_an_answer_that_is_an_input_or_missing_has_no_rank():
    trained = train_word2vec([["a", "b", "c"]] * 9, epochs=1)
    assert rank_of_answer(trained.vectors, AnalogyQuestion("a", "b", "c", "a")) is None
    assert rank_of_answer(trained.vectors, AnalogyQuestion("a", "b", "c", "zzz")) is None


TRAIN = """
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.word2vec import train_word2vec
grammar = read_grammar(GRAMMAR)
trained = train_word2vec(write_sentences(grammar, 300, 4), grammar.questions, seed=4, epochs=3)
print(trained.vectors["king"].tolist(), [epoch.loss for epoch in trained.epochs])
"""


def test_the_same_seed_gives_the_same_numbers_in_another_process():
    def run(hash_seed: str) -> str:
        env = {"PYTHONHASHSEED": hash_seed, "PATH": "/usr/bin:/bin"}
        ended = subprocess.run([sys.executable, "-c", TRAIN], capture_output=True, text=True, cwd=PROJECT, env=env)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    assert run("1") == run("2")


def test_training_leaves_the_random_state_of_the_process_alone():
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()
    train_word2vec([["a", "b", "c"]] * 20, epochs=2)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]


def test_progress_comes_after_every_epoch_and_may_stop_the_training():
    seen = []

    def watch(epochs):
        seen.append(len(epochs))
        if len(epochs) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        train_word2vec([["a", "b", "c"]] * 20, epochs=9, progress=watch)
    assert seen == [1, 2, 3]


def test_a_corpus_of_one_word_is_refused():
    with pytest.raises(ValueError, match="Words that occur 1 times or more: 1"):
        train_word2vec([["a", "a"]])
