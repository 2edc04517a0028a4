"""The limits of uploaded word vectors, chosen for a server with little memory.

The vectors are in memory once as float32, beside the upload itself; what is unpacked is in a temporary file.
"""

MAX_UPLOAD_BYTES = 20_000_000  # as uploaded, compressed or not
MAX_UPLOAD_UNPACKED_BYTES = 60_000_000
MAX_UPLOAD_WORDS = 50_000
MAX_UPLOAD_DIM = 1_024
MAX_UPLOAD_CELLS = 10_000_000  # words x dimensions; 40 MB
MAX_WORD_CHARS = 200

MAX_LINE_BYTES = 2**17  # of one row of text in any file; also the number of bytes that determine the layout
