"""A server on this machine that sends a small vocabulary instead of that of cl100k_base."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from http.server import ThreadingHTTPServer

import pytest
import tiktoken
from tiktoken_ext import openai_public

from components.text.tokenizers import TOKENIZER_FILES, get_tokenizer
from tests.faulty_server import running_http_server

NAME = "cl100k_base"
TABLE = b"".join(base64.b64encode(bytes([b])) + b" %d\n" % b for b in range(256))  # a token for each byte


@pytest.fixture
def toy_tokenizer(monkeypatch, cache, no_downloads) -> Iterator[ThreadingHTTPServer]:
    """Offer cl100k_base from a server, whose `mode` is what it does; tiktoken finds the file, and may not download."""

    def no_network(path: str) -> bytes:
        raise AssertionError(f"tiktoken downloads {path} by itself")

    with running_http_server(TABLE) as server:
        server.mode = "good"
        hash_of_table = sha256(TABLE).hexdigest()
        url = f"{server.address}/{NAME}.tiktoken"
        file = replace(TOKENIZER_FILES[NAME], url=url, bytes=len(TABLE), checksum=f"sha256:{hash_of_table}")
        load = openai_public.load_tiktoken_bpe
        monkeypatch.setitem(TOKENIZER_FILES, NAME, file)
        monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: load(url, hash_of_table))
        monkeypatch.setattr(tiktoken.load, "read_file", no_network)
        monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
        get_tokenizer.cache_clear()
        yield server
        get_tokenizer.cache_clear()
