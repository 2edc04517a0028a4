"""Programs run in a fresh interpreter, without this project: what they print, and the tensors that they leave."""

import json
import os
import pickle
import subprocess
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np

from components.text.gpt2 import gpt2_ranks

R50K_URL = "https://openaipublic.blob.core.windows.net/encodings/r50k_base.tiktoken"

# Imports the libraries once and runs each program in a process of its own, forked from this one.
RUNNER = """
import contextlib, io, json, os, pickle, sys, traceback
import gensim, jaxtyping, numpy, tiktoken, torch
folder, names = sys.argv[1], json.loads(sys.argv[2])
for name in names:
    if process := os.fork():
        os.waitpid(process, 0)
        continue
    out, variables = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(open(f"{folder}/{name}.py", encoding="utf-8").read(), f"{name}.py", "exec"), variables)
        except BaseException:
            traceback.print_exc()
    arrays, lists = {}, {}
    for key, value in variables.items():
        if isinstance(value, torch.nn.Embedding):
            value = value.weight
        if isinstance(value, torch.Tensor):
            arrays[key] = value.detach().numpy()
        elif isinstance(value, numpy.ndarray) and value.dtype.kind in "fiub":
            arrays[key] = value
        elif isinstance(value, list) and all(type(number) is int for number in value):
            arrays[key] = numpy.array(value, dtype=numpy.int64)
        if isinstance(value, list) and all(type(each) in (str, bytes) for each in value):
            lists[key] = value
    numpy.savez(f"{folder}/{name}.npz", **arrays)
    with open(f"{folder}/{name}.lists", "wb") as file:
        pickle.dump(lists, file)
    open(f"{folder}/{name}.txt", "w", encoding="utf-8", errors="backslashreplace").write(out.getvalue())
    os._exit(0)
"""


@dataclass(frozen=True)
class Ran:
    """What a program printed, errors included, and its tensors, arrays and lists by variable."""

    printed: str
    arrays: dict[str, np.ndarray]
    lists: dict[str, list[str] | list[bytes]]


@cache
def tiktoken_cache() -> Path:
    """Return a folder with the file of GPT-2's tokens that tiktoken would download; it checks the file's hash."""
    folder = Path(mkdtemp())
    lines = [b64encode(token) + b" %d\n" % token_id for token, token_id in gpt2_ranks().items()]
    (folder / sha1(R50K_URL.encode()).hexdigest()).write_bytes(b"".join(lines))
    return folder


def isolated(arguments: Sequence[str], folder: Path) -> str:
    """Run `python -I` in a folder, without a network; return what it printed, and fail if it ends with an error."""
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8", "HOME": str(folder)}
    environment |= dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    environment["TIKTOKEN_CACHE_DIR"] = str(tiktoken_cache())
    run = subprocess.run(
        [sys.executable, "-I", *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def run_many(programs: Sequence[str]) -> list[Ran]:
    """Run programs, each in a process of its own that is forked from one fresh interpreter."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number, program in enumerate(programs):
            (folder / f"{number}.py").write_text(program, "utf-8", "surrogatepass")
        isolated(["-c", RUNNER, name, json.dumps([*range(len(programs))])], folder)
        return [
            Ran(
                (folder / f"{number}.txt").read_text("utf-8"),
                dict(np.load(folder / f"{number}.npz")),
                pickle.loads((folder / f"{number}.lists").read_bytes()),
            )
            for number in range(len(programs))
        ]
