"""The limits of word vectors that a learner uploads: one name for each number that keeps a small server upright.

What is read is held once as float32, beside the upload itself; a gzip is unpacked piece by piece and never held whole.

>>> from components.core.limits import readable_bytes, table_bytes
>>> readable_bytes(table_bytes(MAX_UPLOAD_CELLS, 1))
'40.0 MB'
"""

MAX_UPLOAD_BYTES = 20_000_000  # as it arrives, packed or plain
MAX_UPLOAD_UNPACKED_BYTES = 60_000_000
MAX_UPLOAD_WORDS = 50_000
MAX_UPLOAD_DIM = 1_024
MAX_UPLOAD_CELLS = 10_000_000  # words x dimensions
MAX_WORD_CHARS = 200

MAX_LINE_BYTES = 2**17  # of one row written as text, in any file; also as much as is read to tell the format
MAX_HEADER_NUMBER = 10**9  # more words, or dimensions, than any file has
