"""The programs of the reproduce lesson: every published result computed again, without this project."""

from functools import lru_cache
from itertools import chain

from components.core.link import State
from components.core.presets import PUBLISHED
from components.core.snippet import Ids, Snippet
from components.core.snippet_encoding import encoding_code, encoding_for
from components.core.snippet_literals import ids_literal
from components.core.snippet_tables import PRINT

TORCH = "import torch\nfrom torch import nn\n\n"


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return a program for each group of published results; they depend on nothing that a learner sets.

    >>> [snippet.name for snippet in snippets(State(), [])][:4]
    ['toy_table', 'story_batch', 'small_vocabulary', 'text_vocabulary']
    """
    return list(_all())


@lru_cache(1)
def _all() -> tuple[Snippet, ...]:
    return (
        _toy_table(),
        _story_batch(),
        _small_vocabulary(),
        _text_vocabulary(),
        _input_shapes(),
        _combined_batch(),
        _error(),
        _row_lengths(),
    )


def _toy_table() -> Snippet:
    facts = PUBLISHED["toy_table"]
    code = (
        f"{TORCH}torch.manual_seed({facts['seed']})\n"
        f"token_table = nn.Embedding({facts['vocab_size']}, {facts['dim']})\n"
        "print(token_table.weight.detach())  # [V, D]\n"
        f"ids = torch.tensor({facts['lookup_ids']})\n"
        "print(token_table(ids).detach())  # [T, D]\n"
    )
    return Snippet("toy_table", "Toy table", "Six rows of three numbers, and four of them looked up.", code)


def _story_batch() -> Snippet:
    facts = PUBLISHED["story_batch"]
    opening = [*chain(*facts["inputs"]), facts["targets"][-1][-1]]
    text = encoding_for("gpt2")[1].decode(opening)
    code = encoding_code("gpt2", text).replace("import tiktoken\n", "import tiktoken\nimport torch\n", 1) + (
        f"T, stride = {facts['max_length']}, {facts['stride']}\n"
        "ids = torch.tensor(ids)\n"
        "print(ids[:-1].unfold(0, T, stride))  # inputs [N, T]\n"
        "print(ids[1:].unfold(0, T, stride))  # targets [N, T]\n"
    )
    about = (
        f"The opening of the story as GPT-2's tokens, in windows. That the whole story has {facts['gpt2_tokens']:,} "
        "tokens is checked on the page, once the story is your text: it is too long to be written into a program."
    )
    return Snippet("story_batch", "Story batch", about, code)


def _small_vocabulary() -> Snippet:
    facts = PUBLISHED["small_vocabulary"]
    words = " ".join(facts["vocabulary"])
    code = (
        f"{TORCH}vocabulary = {{word: i for i, word in enumerate({words!r}.split())}}\n"
        f"ids = [vocabulary[word] for word in {facts['sentence']!r}.split()]\nprint(ids)\n"
        f"torch.manual_seed(123)\ntoken_table = nn.Embedding(len(vocabulary), {facts['dim']})\n"
        "rows = token_table(torch.tensor(ids))  # [T, D]\n"
        "print(token_table.weight.shape, torch.equal(rows[0], rows[3]))\n"
    )
    return Snippet("small_vocabulary", "Small vocabulary", "The same word has the same row, wherever it stands.", code)


def _text_vocabulary() -> Snippet:
    facts = PUBLISHED["text_vocabulary"]
    code = (
        f"{TORCH}special = {list(facts['special_tokens'])}\n"
        f'words = [f"word{{n}}" for n in range({facts["distinct_words"]})]\n'
        "vocabulary = {word: i for i, word in enumerate(special + words)}\n"
        'print([vocabulary[token] for token in special], vocabulary["word0"])\n'
        f"torch.manual_seed(123)\ntoken_table = nn.Embedding(len(vocabulary), {facts['dim']})\n"
        f"ids = torch.tensor([vocabulary[word] for word in words[:{facts['sentence_words']}]])  # [T]\n"
        "print(token_table.weight.shape, token_table(ids).shape)\n"
    )
    about = "Four special tokens and fifty distinct words make a table of 54 rows."
    return Snippet("text_vocabulary", "Text vocabulary", about, code)


def _input_shapes() -> Snippet:
    lines = ""
    for facts in PUBLISHED["input_shapes"]:
        V, D, dtype = facts["vocab_size"], facts["dim"], facts.get("ids_dtype", "int64")
        vectors = f"nn.Embedding({V}, {D})(ids)"
        vectors = f"({vectors} * math.sqrt({D}))" if "scaled_by" in facts else vectors
        lines += f"ids = torch.tensor({facts['ids']}, dtype=torch.{dtype})\nprint(ids.shape, {vectors}.shape)\n"
    about = "Whatever shape the IDs have, the vectors have it too, with D behind it."
    return Snippet("input_shapes", "Input shapes", about, f"import math\n\n{TORCH}{lines}")


def _combined_batch() -> Snippet:
    facts, inputs = PUBLISHED["combined_batch"], PUBLISHED["story_batch"]["inputs"]
    code = (
        f"{TORCH}{PRINT}V, D, T = {facts['vocab_size']}, {facts['dim']}, {facts['context_length']}\n"
        f"torch.manual_seed({facts['seed']})\n"
        "token_table = nn.Embedding(V, D)  # [V, D]\nposition_table = nn.Embedding(T, D)  # [T, D], drawn next\n"
        f"{ids_literal(inputs, 'ids = torch.tensor(', ')')}  # [B, T]\n"
        "token = token_table(ids).detach()  # [B, T, D]\n"
        "position = position_table(torch.arange(T)).detach()  # [T, D]\n"
        "combined = token + position.unsqueeze(0)  # [B, T, D] + [1, T, D]\n"
        "for tensor in (ids, token, position, position.unsqueeze(0), combined):\n    print(tensor.shape)\n"
        "print(token[0, 0, :5])\nprint(position[0, :5])\nprint(combined[0, 0, :5])\n"
    )
    return Snippet("combined_batch", "Combined batch", "Token table first, position table next, then the sum.", code)


def _error() -> Snippet:
    facts = PUBLISHED["out_of_range"]
    code = (
        f"{TORCH}token_table = nn.Embedding({facts['vocab_size']}, 2)\n"
        f"try:\n    token_table(torch.tensor({facts['ids']}))\n"
        'except Exception as error:\n    print(f"{type(error).__name__}: {error}")\n'
    )
    return Snippet("error", "Error", "Ten rows are 0 to 9, so ID 10 has none.", code)


def _row_lengths() -> Snippet:
    code = (
        "import torch\n\nD = 512\n"
        "places = torch.arange(100, dtype=torch.float64)[:, None]  # [T, 1]\n"
        "angles = places * 10_000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [T, D / 2]\n"
        "rows = torch.cat([angles.sin(), angles.cos()], dim=1)  # [T, D]; the order of columns changes no length\n"
        'print(f"{rows.norm(dim=1).mean():.4f}")\n'
        'print(f"sqrt(D/2) {(D / 2) ** 0.5:.4f}, sqrt(D/3) {(D / 3) ** 0.5:.4f}")\n'
    )
    about = "Each pair of sine and cosine adds 1 to the square, and there are D/2 pairs: √(D/2). √(D/3) is wrong."
    return Snippet("row_lengths", "Row lengths", about, code)
