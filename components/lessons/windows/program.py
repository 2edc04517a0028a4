# %% [markdown]
# # Windows
# A window of T tokens slides over the IDs; the targets are the same window shifted by one position.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
context_length, stride = 4, 4  # T; distance between the starts of two windows
window_index = 0  # one window
batch_size, batch = 2, 0  # B; one batch
shuffle, drop_last, seed = False, False, 123

# %% Libraries
import tiktoken
import torch
from torch.utils.data import DataLoader

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Token IDs
encoding = tiktoken.get_encoding(tokenizer)
token_ids = encoding.encode_ordinary(text)
tokens = [encoding.decode_single_token_bytes(i).decode(errors="backslashreplace") for i in token_ids]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% Inputs and targets [N, T]
# The targets are the inputs shifted by one position: each target is the next token. Windows start every `stride`
# tokens, the last one at n - T - 1 at the latest, because one more token is its last target.
n, T = len(token_ids), context_length
inputs = torch.tensor(token_ids[:-1]).unfold(0, T, stride)  # [N, T]
targets = torch.tensor(token_ids[1:]).unfold(0, T, stride)  # [N, T]
N = len(inputs)
print(f"number of windows: ⌊({n} - {T} - 1) / {stride}⌋ + 1 = {N}")

# %% One window
# A model is to predict each target from its input and the inputs before it.
window_index = min(window_index, N - 1)
start = window_index * stride
print(f"inputs of window {window_index}:", tokens[start : start + T][:20])
print(f"targets of window {window_index}:", tokens[start + 1 : start + T + 1][:20])

# %% One batch [B, T]
# Shuffling changes the order of the windows, not that of the tokens in them.
windows = list(zip(range(N), inputs, targets))  # each with its index
generator = torch.Generator().manual_seed(seed)
batches = list(DataLoader(windows, batch_size, shuffle, drop_last=drop_last, generator=generator))
batch = min(batch, len(batches) - 1)
indices, batch_inputs, batch_targets = batches[batch]  # [B], [B, T], [B, T]
print(f"windows of batch {batch}:", indices.tolist())
print(f"inputs of batch {batch}", list(batch_inputs.shape), batch_inputs, sep="\n")
print(f"targets of batch {batch}", list(batch_targets.shape), batch_targets, sep="\n")
print("batches:", len(batches))

# %% How often each token is an input, and how often a target
# A token is neither if it is left over at the end, skipped between two windows, or in the dropped last batch alone.
as_input, as_target = torch.zeros(2, n, dtype=torch.int64)  # [n], [n]
for indices, _, _ in batches:
    for start in (indices * stride).tolist():
        as_input[start : start + T] += 1
        as_target[start + 1 : start + T + 1] += 1
left_over = n - (N - 1) * stride - T - 1  # after the last target of the last window
skipped = (N - 1) * max(0, stride - T - 1)  # between the last target of a window and the start of the next
dropped = int((as_input + as_target == 0).sum()) - left_over - skipped
print("tokens used as an input:", int((as_input > 0).sum()))
print("tokens used as a target:", int((as_target > 0).sum()))
print(f"unused tokens: {left_over} left over at the end, {skipped} skipped, {dropped} dropped")

# %% Other strides section="How many windows"
# A stride below T can use tokens several times, in different windows.
for other in sorted({1, max(1, T // 2), T, T + 2, stride}):
    N = (n - T - 1) // other + 1
    left_over, skipped = n - (N - 1) * other - T - 1, (N - 1) * max(0, other - T - 1)
    print(f"stride {other}: windows {N}, inputs in all {N * T}, left over {left_over}, skipped {skipped}")
