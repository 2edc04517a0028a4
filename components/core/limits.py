"""The limits of the app: one name and one home for each number that bounds what a learner may ask for.

All of them follow from one fact: a small server guarantees about 690 MB of memory to a whole class.

>>> readable_bytes(table_bytes(50_257, 256))
'51.5 MB'
>>> readable_bytes(table_bytes(50_257, 12_288))  # GPT-3's token table
'2.5 GB'
"""

MAX_VOCAB_SIZE = 200_019  # o200k_base, the largest tokenizer offered here
MAX_DIM = 1_024
MAX_SEED = 2**32 - 1
MAX_CONTEXT_LENGTH = 1_024  # GPT-2's
MAX_STRIDE = 1_024
MAX_BATCH_SIZE = 64

MAX_TABLE_CELLS = 2**24  # V x D: 67.1 MB as float32
MAX_BATCH_CELLS = 2**20  # B x T x D: 4.2 MB as float32, held about four times during a walk

MAX_LAB_CELLS = 2**20  # of any tensor in an experiment that goes wrong: 4.2 MB as float32

MAX_TABLE_BYTES_CACHED = 68 * 10**6  # token tables kept for all sessions together: the largest one, or many small
MAX_ONE_HOT_CELLS = 2**21  # N x V: 8.4 MB as float32, and twice that as int64 on the way
MAX_TIMING_BYTES = 32 * 10**6  # of the tensors that are timed

MAX_TRAINING_TOKENS = 10_000  # of a text, in the toy model
MAX_TRAINING_DIM = 64
MAX_TRAINING_CELLS = 2**17  # V x D of the toy model: 0.5 MB, held about ten times while it trains
MAX_LOGITS = 2**21  # B x T x V of one step: 8.4 MB, held about four times
MAX_TRAINING_STEPS = 2_000
MAX_TRAINING_BYTES = 48 * 10**6  # of all learners together; a training that had to go is done again when asked for

MAX_UPLOADED_VECTOR_BYTES = 64 * 10**6  # of all learners together; whoever has not asked for longest loses theirs
MAX_TRAINED_BYTES_CACHED = 8 * 10**6  # word vectors trained on the page, kept for all sessions together
MAX_TOKEN_BYTES_CACHED = 16 * 10**6  # IDs of texts kept for all sessions together

MAX_TEXT_CHARS = 100_000
MAX_LINK_TEXT_BYTES = 3_000  # of the text once percent-encoded: fits every server's limit on addresses
MAX_LINK_PACKED_CHARS = 6_000  # of a longer text once compressed: about 10,000 characters of English
MAX_LINE_CHARS = 1_000  # one-line entries: IDs, a word to look up
MAX_TYPED_IDS = 256
MAX_WORDS_DRAWN = 40  # on a map or in a matrix

BYTES_PER_FLOAT = 4  # torch.float32


def table_bytes(rows: int, columns: int) -> int:
    """Return the memory in bytes of a float32 table with `rows` x `columns` cells.

    >>> table_bytes(6, 3)
    72
    """
    return rows * columns * BYTES_PER_FLOAT


def readable_bytes(count: int) -> str:
    """Return `count` bytes in the largest decimal unit that leaves a number above 1, as disks and clouds count.

    >>> readable_bytes(72), readable_bytes(1_536), readable_bytes(67_108_864)
    ('72 bytes', '1.5 kB', '67.1 MB')
    """
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"
