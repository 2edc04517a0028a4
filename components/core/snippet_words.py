"""What is asked of word vectors, as the end of a program in which they are called `vectors`."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from components.core.choices import Choices
from components.core.limits import MAX_WORDS_DRAWN
from components.core.snippet_literals import LINE, wrapped

MOST_IN_MATRIX = 12
NUMPY = "import numpy as np\n"
MEAN = "mean = vectors.get_mean_vector([a, c, b], [1, 1, -1], pre_normalize=True, post_normalize=True)  # [D]\n"


@dataclass(frozen=True)
class Part:
    """The end of a program: what it imports, and its lines."""

    title: str
    about: str
    imports: str
    code: str


def asked(choices: Choices, known: Collection[str] | None = None) -> list[str]:
    """Return the words that the chosen view asks about; those without a vector are left out where that is known.

    >>> asked(Choices(view="similarity", words="king, queen king; xyz"), {"king", "queen"})
    ['king', 'queen']
    """
    if choices.view == "analogy":
        words = [choices.word_a.strip(), choices.word_b.strip(), choices.word_c.strip()]
    elif choices.view == "neighbours":
        words = [choices.near.strip()]
    else:
        words = [*dict.fromkeys(filter(None, re.split(r"[\s,;]+", choices.words)))][:MAX_WORDS_DRAWN]
    return [word for word in words if word and (known is None or word in known)]


def question(choices: Choices, words: list[str], known: Collection[str] | None = None) -> Part | None:
    """Return the question of the chosen view, or None where the page refuses it for want of words.

    >>> question(Choices(view="neighbours"), ["king"]).code
    "for word, cosine in vectors.most_similar('king', topn=12):\\n    print(f'{word} {cosine:.4f}')\\n"
    """
    match choices.view:
        case "analogy":
            return _analogy(choices, words, known) if len(words) == 3 else None
        case "neighbours":
            return _neighbours(words[0]) if words else None
        case "similarity":
            return _similarity(words) if len(words) > 1 else None
        case "map":
            return _map(words) if len(words) > 1 else None
        case "gallery":
            return _gallery()
        case _:
            return _questions()


def _analogy(choices: Choices, words: list[str], known: Collection[str] | None) -> Part:
    a, b, c = words
    code = f"a, b, c = {a!r}, {b!r}, {c!r}\n"
    if choices.method == "mul":
        code += (
            "unit = {word: vectors.get_vector(word, norm=True) for word in (a, b, c)}\n"
            "kept = vectors.most_similar_cosmul(positive=[unit[a], unit[c]], negative=[unit[b]], topn=8)\n"
            "struck = vectors.most_similar_cosmul(positive=[a, c], negative=[b], topn=8)\n"
        )
    else:
        code += (
            f"{MEAN}"
            "kept = vectors.similar_by_vector(mean, topn=8)\n"
            "struck = vectors.most_similar(positive=[a, c], negative=[b], topn=8)\n"
        )
    code += (
        'for name, ranked in (("inputs kept", kept), ("inputs struck out", struck)):\n'
        "    print(name)\n"
        "    for word, score in ranked:\n"
        '        print(f"    {word} {score:.4f}")\n'
    )
    expected = choices.expected.strip()
    if expected and (known is None or expected in known):
        scores, name = (
            ("most_similar_cosmul(positive=[unit[a], unit[c]], negative=[unit[b]], topn=None)", "score")
            if choices.method == "mul"
            else ("similar_by_vector(mean, topn=None)", "cosine")
        )
        code += (
            f"word = {expected!r}\n"
            f"scores = vectors.{scores}  # [words]\n"
            "own = scores[vectors.key_to_index[word]]\n"
            f'print(f"{{word}}: {name} {{own:.4f}}, rank {{(scores >= own - 1e-6).sum()}} with the inputs kept")\n'
        )
    about = (
        "The same question twice. gensim strikes the inputs out of the answers without a word; asked by a vector "
        "instead of by words, it cannot know them, and keeps them."
    )
    return Part("The analogy, asked both ways", about, "", code)


def _neighbours(word: str) -> Part:
    code = f"for word, cosine in vectors.most_similar({word!r}, topn=12):\n    print(f'{{word}} {{cosine:.4f}}')\n"
    return Part("The nearest words", "Near means a large cosine: seen among the same words.", "", code)


def _words(words: list[str]) -> str:
    line = f"words = {words}\n"
    return line if len(line) <= LINE else f"words = [\n{wrapped(map(repr, words))}]\n"


UNIT = "unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)  # [words, D]\n"


def _similarity(words: list[str]) -> Part:
    code = f"{_words(words)}{UNIT}cosines = unit @ unit.T  # [words, words]\n"
    if len(words) <= MOST_IN_MATRIX:
        code += "np.set_printoptions(linewidth=160, suppress=True)\nprint(cosines.round(4))\n"
    code += (
        "pairs = sorted((cosines[r, c], words[c], words[r]) for r in range(len(words)) for c in range(r))\n"
        'print("most alike: {1}, {2} {0:.4f}".format(*pairs[-1]))\n'
        'print("least: {1}, {2} {0:.4f}".format(*pairs[0]))\n'
    )
    if len(words) > 2:
        code += (
            "for cosine, word in sorted(vectors.rank_by_centrality(words)):  # the odd one out comes first\n"
            '    print(f"{word}: cosine with the mean of all {cosine:.4f}")\n'
        )
    about = "The cosine of every pair, and how near each word is to the mean of all: the farthest is the odd one out."
    return Part("Similarity and the odd one out", about, NUMPY, code)


def _map(words: list[str]) -> Part:
    code = f"{_words(words)}{UNIT}" + (
        "centred = unit - unit.mean(axis=0)\n"
        "_, sizes, directions = np.linalg.svd(centred, full_matrices=False)\n"
        "directions = directions[:2]  # the two in which the words differ most, [2, D]\n"
        "signs = np.sign([row[np.abs(row).argmax()] for row in directions])  # a direction has no sign of its own\n"
        "points = centred @ (directions * signs[:, None]).T  # [words, 2]\n"
        "for word, (x, y) in zip(words, points):\n"
        '    print(f"{word} {x:.4f} {y:.4f}")\n'
        'print(f"{(sizes[:2] ** 2).sum() / (sizes**2).sum():.0%} of the variance")\n'
    )
    about = "Principal components: the two directions in which the words differ most. What lies in others is not seen."
    return Part("The flat map", about, NUMPY, code)


def _gallery() -> Part:
    from components.core.analogy_gallery import PEOPLE, TOLD

    told = [(q.a, q.b, q.c, q.answer) for q in TOLD]
    code = f"questions = [\n{wrapped(map(repr, [*told, *PEOPLE]))}]\n" + (
        "for question in questions:\n"
        "    forms = [next((w for w in (word, word.capitalize()) if w in vectors), None) for word in question]\n"
        "    if None in forms:\n"
        "        continue  # a word without a vector\n"
        "    a, b, c, *answer = forms\n"
        f"    {MEAN}"
        "    kept = vectors.similar_by_vector(mean, topn=1)[0]\n"
        "    struck = vectors.most_similar(positive=[a, c], negative=[b], topn=1)[0]\n"
        '    print(f"{a} - {b} + {c} = {answer}: kept {kept[0]} {kept[1]:.2f},", end=" ")\n'
        '    print(f"struck out {struck[0]} {struck[1]:.2f}")\n'
    )
    about = "Well-known analogies, each with the inputs kept and struck out, as far as all their words have vectors."
    return Part("The gallery", about, "", code)


def _questions() -> Part:
    code = (
        'questions = datapath("questions-words.txt")  # 19,544 of them, in 14 sections\n'
        "_, sections = vectors.evaluate_word_analogies(questions, restrict_vocab=30_000)  # inputs struck out\n"
        "for section in sections:\n"
        '    correct, wrong = len(section["correct"]), len(section["incorrect"])\n'
        '    print(section["section"], correct, "of", correct + wrong)\n'
    )
    about = "gensim's own test on the published questions. It counts those whose four words all have vectors."
    return Part("The published questions", about, "from gensim.test.utils import datapath\n", code)
