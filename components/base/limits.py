"""The limits of the app: one name for each number that bounds what a learner can enter and what a server stores.

Most bound memory: a small server guarantees about 690 MB, which a whole class shares.
"""

MAX_VOCAB_SIZE = 200_019  # o200k_base, the largest tokenizer offered here
MAX_DIM = 1_024
MAX_SEED = 2**32 - 1
GPT2_VOCAB_SIZE, GPT2_DIM = 50_257, 768  # of GPT-2 (small)
MAX_CONTEXT_LENGTH = 1_024  # GPT-2's
MAX_STRIDE = 1_024
MAX_BATCH_SIZE = 64
MAX_BATCH_TOKENS = MAX_BATCH_SIZE * MAX_CONTEXT_LENGTH

MAX_TABLE_CELLS = 2**24  # V x D: 67.1 MB as float32
MAX_BATCH_CELLS = 2**20  # B x T x D: 4.2 MB as float32, in memory about four times during a walk

MAX_LAB_CELLS = 2**20  # elements of each tensor in an experiment of the error lab: 4.2 MB as float32

MAX_TABLE_BYTES_CACHED = 24 * 10**6  # token embedding tables, all sessions together: many small, or one larger
MAX_TABLE_BYTES = 68 * 10**6  # token embedding tables in memory, those of running pages included: a largest one
MAX_POSITION_BYTES_CACHED = 5 * 10**6  # position embedding tables, all sessions together: a largest one
MAX_ONE_HOT_CELLS = 2**21  # N x V: 8.4 MB as float32
MAX_TIMED_IDS, MAX_TIMED_COLUMNS = 16, 64  # of one measurement: at V = 50,257 its tensors take 23 MB

MAX_TRAINING_TOKENS = 10_000  # tokens of a text in the toy model
MAX_TRAINING_DIM = 64
MAX_TRAINING_CELLS = 2**17  # V x D of the toy model: 0.5 MB, in memory about ten times during training
MAX_LOGITS = 2**21  # B x T x V of one step: 8.4 MB, in memory about four times
MAX_TRAINING_STEPS = 2_000
MAX_TRAININGS_AT_ONCE = 2  # of word2vec or attention heads, all sessions together; the others wait
MAX_TEXT_LOSS_LOGITS = 2**27  # N x T x V of a loss over all windows: about 1.5 s
MAX_TRAINING_BYTES = 48 * 10**6  # all sessions together; the least recently used training is evicted, and can be redone

MAX_UPLOAD_BYTES = 20_000_000  # a file of word vectors as uploaded, compressed or not
MAX_UPLOAD_UNPACKED_BYTES = 60_000_000  # in a temporary file
MAX_UPLOAD_WORDS = 50_000
MAX_UPLOAD_DIM = 1_024
MAX_UPLOAD_CELLS = 10_000_000  # words x dimensions: 40 MB as float32, in memory once, beside the upload itself
MAX_UPLOADED_VECTOR_BYTES = 64 * 10**6  # all sessions together; a file that would exceed it is refused
MAX_TRAINED_BYTES_CACHED = 8 * 10**6  # word vectors trained on the page, all sessions together
MAX_STEP_BYTES_CACHED = 3 * 10**6  # single steps of a training of word vectors, all sessions together: about 150
MAX_TOKEN_BYTES_CACHED = 16 * 10**6  # token IDs of texts, all sessions together
MAX_VOCABULARY_BYTES_CACHED = 24 * 10**6  # of the tokenizer of whole words, all sessions together: two of the largest
MAX_HEAD_BYTES_CACHED = 16 * 10**6  # trained attention heads, all sessions together: about 150

MAX_TEXT_CHARS = 100_000
MAX_TEXT_FILE_BYTES = 2**20  # a text file as uploaded: whole megabytes, since Streamlit counts these
MAX_LINK_TEXT_BYTES = 3_000  # of the percent-encoded text: below every server's limit on the length of a URL
MAX_LINK_PACKED_CHARS = 6_000  # of a longer text after compression: about 10,000 characters of English
MAX_LINE_CHARS = 1_000  # one-line fields: IDs, a word to look up
MAX_WORD_FIELD_CHARS = 40  # fields for one word
MAX_TYPED_IDS = 256
MAX_TRACEBACK_CHARS = 100_000  # of a pasted traceback; the end of a longer one is searched
MAX_WORDS_DRAWN = 40  # on a map or in a matrix

MAX_VOTERS = 500  # of a room
MAX_ROOMS = 200  # of a server
MAX_ROOMS_OF_HOST = 5
MAX_ROOM_LINK_BYTES = 3_000  # of the teacher's settings and text, as the room stores them
MAX_QUESTIONS = 200  # asked in a room
MAX_WRONG_CODES = 20  # of a session; after that it waits before each further one

BYTES_PER_FLOAT = 4  # torch.float32


def table_bytes(rows: int, columns: int) -> int:
    """Return the memory in bytes of a float32 table with `rows` x `columns` cells."""
    return rows * columns * BYTES_PER_FLOAT
