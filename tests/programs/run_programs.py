"""Programs run in a fresh interpreter, without this project: what they print, and the values that they leave."""

import json
import os
import pickle
import subprocess
import sys
from collections import namedtuple
from collections.abc import Sequence
from functools import cache
from gzip import decompress
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from components.text.gpt2 import MERGES, gpt2_ranks

Ran = namedtuple("Ran", "printed values")  # errors included; tensors, arrays and lists by variable
GPT2_URL = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/"

# Imports the libraries once and runs each program in a process of its own, forked from this one. cl100k_base and
# o200k_base cannot be made from what the project contains: a stand-in has their interface, and one token for each byte.
RUNNER = """
import contextlib, io, json, os, pickle, sys, traceback
import gensim, numpy, tiktoken, torch, torch._dynamo  # which the first optimizer imports
published = tiktoken.get_encoding
def get_encoding(name):
    if name == "gpt2":
        return published(name)
    return tiktoken.Encoding(name, pat_str=".", mergeable_ranks={bytes([b]): b for b in range(256)}, special_tokens={})
tiktoken.get_encoding = get_encoding
get_encoding("gpt2")  # which tiktoken then caches
simple = {int, float, str, bytes}
def run(number):
    out, variables = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(open(f"{number}.py", encoding="utf-8").read(), f"{number}.py", "exec"), variables)
        except BaseException:
            traceback.print_exc()
    values = {}
    for name, value in variables.items():
        value = value.weight if isinstance(value, torch.nn.Embedding) else value
        if isinstance(value, torch.Tensor):
            values[name] = value.detach().numpy()
        elif isinstance(value, numpy.ndarray) or isinstance(value, list) and {*map(type, value)} <= simple:
            values[name] = value
    with open(f"{number}.result", "wb") as file:
        pickle.dump((out.getvalue().encode(errors="backslashreplace").decode(), values), file)
for line in sys.stdin:
    programs, folder, no_proxy = json.loads(line)
    os.environ.update(HOME=folder, no_proxy=no_proxy)
    os.chdir(folder)
    for number in range(programs):
        if process := os.fork():
            os.waitpid(process, 0)
        else:
            run(number)
            os._exit(0)
    print("done", flush=True)
"""


@cache
def tiktoken_cache() -> Path:
    """Return a folder with both files of GPT-2's tokens that tiktoken would download; it checks their hashes."""
    folder = Path(mkdtemp())
    merges = decompress(MERGES.read_bytes())
    (folder / sha1(f"{GPT2_URL}vocab.bpe".encode()).hexdigest()).write_bytes(merges)
    # The first 188 tokens are the printable bytes, and the file has the characters from U+0100 on for the other 68.
    bytes_in_order = [token for token, token_id in gpt2_ranks().items() if token_id < 256]
    characters = {byte: byte.decode("latin-1") if n < 188 else chr(68 + n) for n, byte in enumerate(bytes_in_order)}
    names = {"".join(characters[bytes([b])] for b in token): token_id for token, token_id in gpt2_ranks().items()}
    encoder = json.dumps(names | {"<|endoftext|>": 50_256})
    (folder / sha1(f"{GPT2_URL}encoder.json".encode()).hexdigest()).write_text(encoder)
    return folder


@cache
def interpreter() -> subprocess.Popen:
    """Start the interpreter from which the programs of all tests are forked; it ends with the tests."""
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}
    environment |= dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    # With as many threads as the app: the last bit of a gradient of tied weights depends on their number.
    # With the kernels of OpenBLAS that the app uses too: others add in another order.
    environment |= {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
    environment |= {"TIKTOKEN_CACHE_DIR": str(tiktoken_cache()), "OMP_NUM_THREADS": "1"}
    command, pipe = [sys.executable, "-I", "-c", RUNNER], subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


def run_many(programs: Sequence[str]) -> list[Ran]:
    """Run programs without a network, each in a process of its own that is forked from one interpreter."""
    with TemporaryDirectory() as name:
        folder, runner = Path(name), interpreter()
        for number, program in enumerate(programs):
            (folder / f"{number}.py").write_text(program, "utf-8", "surrogatepass")
        no_proxy = os.environ.get("NO_PROXY", "")  # a server of the test
        print(json.dumps([len(programs), name, no_proxy]), file=runner.stdin, flush=True)
        while (line := runner.stdout.readline()) != "done\n":
            assert line, "the interpreter has ended"
        return [Ran(*pickle.loads((folder / f"{number}.result").read_bytes())) for number in range(len(programs))]
