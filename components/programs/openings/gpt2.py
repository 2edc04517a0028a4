# %% [markdown]
# # GPT-2's own rows instead of random ones

# %% Your values
url = "https://huggingface.co/openai-community/gpt2/resolve/main/model.safetensors"  # or that of a mirror

# %% Libraries
import json
from math import prod
from urllib.request import Request, urlopen

# %% GPT-2's rows
# GPT-2 (small) by OpenAI, Modified MIT License. The file is safetensors: 8 bytes with the length of a JSON header, the
# header, then the numbers. A few rows are a few ranges of it; only what is needed is fetched.


def read(first, count):
    request = Request(url, headers={"Range": f"bytes={first}-{first + count - 1}"})
    with urlopen(request) as response:
        assert response.status == 206, "this server sends whole files only"
        content = bytearray(response.read())
    assert len(content) == count, "the connection was closed too early"
    return content


header_length = int.from_bytes(read(0, 8), "little")
tensors = json.loads(read(8, header_length))


def fetch(name, first=0, count=None):  # consecutive rows of a tensor, or all
    rows, *columns = tensors[name]["shape"]
    row_bytes, count = 4 * prod(columns), count or rows
    begin = 8 + header_length + tensors[name]["data_offsets"][0]
    content = read(begin + row_bytes * first, row_bytes * count)
    return torch.frombuffer(content, dtype=torch.float32).view(count, *columns)
