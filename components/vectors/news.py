"""A small real corpus: news documents that are part of gensim, and the analogies tested on it."""

from functools import cache

from gensim.test.utils import datapath
from gensim.utils import simple_preprocess

from components.vectors.corpora import ANALOGIES

NEWS_MIN_COUNT = 3  # a word that occurs less often learns next to nothing
NEWS_QUESTIONS = ANALOGIES["news"]


@cache
def lee_sentences() -> list[list[str]]:
    """Return the words of 300 news documents, each as one sentence: the background corpus of Lee et al. (2005).

    Lee, Pincombe and Welsh (2005), "An Empirical Evaluation of Models of Text Document Similarity".

    >>> len(lee_sentences()), lee_sentences()[0][:5]
    (300, ['hundreds', 'of', 'people', 'have', 'been'])
    """
    with open(datapath("lee_background.cor"), encoding="utf-8") as file:
        return [simple_preprocess(line) for line in file]
