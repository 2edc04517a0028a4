"""Byte-pair encoding (BPE) tokenizers: GPT-2's is part of the app, the larger ones are files that can be downloaded."""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

import tiktoken

from components.base.text_format import readable_bytes
from components.downloads.published_file import PublishedFile
from components.text.gpt2 import gpt2_encoding, gpt2_ranks

TIKTOKEN_VARIABLE = "TIKTOKEN_CACHE_DIR"


@dataclass(frozen=True)
class TokenizerFile(PublishedFile):
    """The vocabulary of a tokenizer, stored as tiktoken stores it, which then finds it without a network."""

    folder_variable: ClassVar[str] = TIKTOKEN_VARIABLE

    @property
    def target(self) -> Path:
        """The path at which tiktoken looks for the file: its name is the SHA-1 of the URL."""
        default = os.path.join(tempfile.gettempdir(), "data-gym-cache")
        folder = os.environ.get(TIKTOKEN_VARIABLE, os.environ.get("DATA_GYM_CACHE_DIR", default))
        folder = folder or os.devnull  # tiktoken stores nothing then
        return Path(os.path.abspath(folder)) / hashlib.sha1(self.url.encode()).hexdigest()

    @property
    def ready(self) -> bool:
        """Whether the file is stored and undamaged; tiktoken would download a damaged one at once."""
        with suppress(OSError):
            return f"sha256:{hashlib.sha256(self.target.read_bytes()).hexdigest()}" == self.checksum
        return False


# URLs and checksums are those of tiktoken_ext/openai_public.py of tiktoken 0.14.0; it does not state the sizes.
BASE_URL = "https://openaipublic.blob.core.windows.net/encodings"
TOKENIZER_FILES = {
    name: TokenizerFile(name, f"{name} (tokenizer)", f"{BASE_URL}/{name}.tiktoken", size, f"sha256:{sha256}")
    for name, size, sha256 in (
        ("cl100k_base", 1_681_126, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
        ("o200k_base", 3_613_922, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    )
}


@runtime_checkable
class Tokenizer(Protocol):
    """The interface of all tokenizers; `Vocabulary` has it as well."""

    name: str
    n_vocab: int

    def encode(self, text: str) -> list[int]: ...
    def decode(self, token_ids: Sequence[int]) -> str: ...
    def token_bytes(self, token_id: int) -> bytes: ...


class TokenizerUnavailable(Exception):
    """The file of a tokenizer is not on this machine. The message is shown to learners."""

    def __init__(self, file: TokenizerFile) -> None:
        super().__init__(
            f"The vocabulary of {file.name} ({readable_bytes(file.bytes)}) is not on this machine: download it on a "
            f"page, or into the folder named by {TIKTOKEN_VARIABLE}. Until then use GPT-2's tokens, which need no "
            "download."
        )
        self.file = file


class BytePairTokenizer:
    """A tiktoken Encoding; special tokens in the text are treated as text."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self.encoding = encoding
        self.name = encoding.name
        self.n_vocab = encoding.n_vocab

    def encode(self, text: str) -> list[int]:
        return self.encoding.encode_ordinary(text)

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return the text of token IDs; incomplete characters become �."""
        return self.encoding.decode(list(token_ids))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of one token. Raises KeyError for an unknown ID, OverflowError beyond 32 bits."""
        return self.encoding.decode_single_token_bytes(token_id)


@cache
def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer `name`: "gpt2", or "cl100k_base" or "o200k_base" once they have been downloaded.

    Raises ValueError for another name, and TokenizerUnavailable if the file of the tokenizer is not on this machine.
    Nothing is downloaded.
    """
    if name == "gpt2":
        return BytePairTokenizer(gpt2_encoding(gpt2_ranks()))
    if name not in TOKENIZER_FILES:
        raise ValueError(f"There is no tokenizer {name!r}: choose gpt2, {' or '.join(TOKENIZER_FILES)}.")
    if not TOKENIZER_FILES[name].ready:
        raise TokenizerUnavailable(TOKENIZER_FILES[name])
    return BytePairTokenizer(tiktoken.get_encoding(name))
