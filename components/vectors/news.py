"""A small real corpus: news documents that are part of gensim."""

from functools import cache
from pathlib import Path

import gensim
from gensim.utils import simple_preprocess

LEE_FILE = Path(gensim.__file__).parent / "test" / "test_data" / "lee_background.cor"


@cache
def lee_sentences() -> list[list[str]]:
    """Return the words of 300 news documents, each as one sentence: the background corpus of Lee et al. (2005).

    Lee, Pincombe and Welsh (2005), "An Empirical Evaluation of Models of Text Document Similarity".

    >>> len(lee_sentences()), lee_sentences()[0][:5]
    (300, ['hundreds', 'of', 'people', 'have', 'been'])
    """
    return [simple_preprocess(line) for line in LEE_FILE.read_text("utf-8").splitlines()]
